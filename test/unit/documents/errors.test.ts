import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  type Explanation,
} from '../../../src/errors/catalogue.ts'

const PAGE = join(import.meta.dirname, '../../../src/docs/errors.md')
const HEADING = '## Codes\n'

test('the page of errors has every permanent code, with what the catalogue says to do', async () => {
  const [introduction] = (await readFile(PAGE, 'utf8')).split(HEADING)
  const codes = Object.keys(catalogue) as ErrorCode[]
  const texts = new Set(codes.map(whatToDo))
  // Codes with the same advice stand above it together.
  const sections = Array.from(texts, (text) => {
    const headings = codes
      .filter((code) => whatToDo(code) === text)
      .map((code) => `### \`${code}\``)
    return `\n${[...headings, text].join('\n\n')}\n`
  })
  const page = [introduction, HEADING, ...sections].join('')
  await expect(page, 'Run `npm run update-docs`, and read the difference.').toMatchFileSnapshot(
    PAGE,
  )
})

function whatToDo(code: ErrorCode): string {
  const describe = catalogue[code] as (details: ErrorDetails[ErrorCode]) => Explanation
  const { background, fix } = describe(PLACEHOLDERS as ErrorDetails[ErrorCode])
  return [background, fix].filter((line) => line !== undefined).join(' ')
}

/** Details whose name as a placeholder would not complete the sentence. */
const SAMPLES = {
  problems: ['‹problem›'],
  slugs: ['‹slug›'],
  parts: ['‹prompt›: ‹reason›'],
  differences: ['‹difference›'],
  chain: [],
  written: undefined,
  others: undefined,
  pinned: undefined,
  refused: undefined,
  replaces: undefined,
  wrapping: undefined,
  sources: ['‹source›'],
  attempts: 1,
  excerpt: '',
  wait: '',
  command: '',
  held: 'the lock has ‹number›',
  kind: undefined,
  workspace: 'prompts',
}

/** Every other detail is a placeholder with its name: `‹path›`. */
const PLACEHOLDERS = new Proxy(SAMPLES, {
  get: (samples, name: string) =>
    Object.hasOwn(samples, name) ? Reflect.get(samples, name) : `‹${name}›`,
})
