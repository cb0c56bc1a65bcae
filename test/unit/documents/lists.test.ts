import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { registry } from '../../../src/cli/commands/registry.ts'
import { catalogue } from '../../../src/errors/catalogue.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The pages for users. */
const PAGES = [
  'README.md',
  'playground/README.md',
  ...readdirSync(join(ROOT, 'src/docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `src/docs/${file.replaceAll('\\', '/')}`),
]

/** What the pages name in capitals besides codes: variables of the environment, and one constant. */
const NO_CODE =
  /PROMPTS_|_PROXY$|_ENV$|_TOKEN$|_BRANCH$|^(?:NEXT_PUBLIC|CLOUDFLARE|VITE)_|^NO_COLOR$|^INVISIBLE_CHARACTERS$/

describe.each(PAGES)('%s', (path) => {
  const page = readFileSync(join(ROOT, path), 'utf8')

  test('names only codes of errors that exist', () => {
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in catalogue) && !NO_CODE.test(name))).toEqual([])
  })

  test('calls only commands and options that exist', async () => {
    const calls = page.matchAll(/(?:npx|\$) prompts ([a-z]+)([^`\n#|]*)/g)
    const unknown = Array.from(calls, async ([call, name = '', rest = '']) => {
      const command = registry.find((one) => name === one.name || name === one.alias)
      const options = (await command?.load())?.options
      const flags = rest.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)
      const known = [...flags].every(([, flag = '']) => options !== undefined && flag in options)
      return command !== undefined && known ? [] : [call]
    })
    expect((await Promise.all(unknown)).flat()).toEqual([])
  })
})
