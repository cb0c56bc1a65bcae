import {
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  type Explanation,
} from '../../../errors/catalogue.ts'
import { usageError } from '../../../errors/prompts-error.ts'
import { didYouMean } from '../../../errors/did-you-mean.ts'
import { type Command, defineCommand } from '../../shell/command.ts'
import { alignColumns, truncate } from '../../shell/layout.ts'
import type { Terminal } from '../../shell/terminal.ts'
import { background } from '../../view/background.ts'

/** One error of `prompts explain --json`; details of a case are placeholders such as `‹path›`. */
interface ExplainedError {
  readonly code: ErrorCode
  readonly why: string
  readonly fix: string
  /** Markdown; `null` if `why` and `fix` are enough. */
  readonly background: string | null
}

/** `prompts explain --json`: the one error that was named, or all of them. */
export interface ExplainJson {
  readonly errors: readonly ExplainedError[]
}

const CODES = Object.keys(catalogue) as ErrorCode[]

/** `prompts explain`. */
export const explain: Command = defineCommand({
  argument: { placeholder: '[code]', description: 'The code of an error message', maxCount: 1 },
  options: {},
  examples: [
    ['prompts explain LOCK_EDITED', 'what it means and what to do'],
    ['prompts explain', 'all codes'],
  ],
  run({ terminal, positionals: [word] }) {
    const codes = word === undefined ? CODES : [findCode(word)]
    const errors = codes.map((code) => {
      return { code, ...describeError(code), background: background[code] ?? null }
    })
    terminal.json({ errors } satisfies ExplainJson)
    if (word === undefined) printCodes(errors, terminal)
    else for (const error of errors) printError(error, terminal)
    return Promise.resolve(0)
  },
})

function findCode(word: string): ErrorCode {
  const name = word.toUpperCase().replaceAll('-', '_')
  const match = CODES.find((code) => code === name)
  if (match !== undefined) return match
  throw usageError(`There is no error code “${word}”.${didYouMean(name, CODES)}`, 'explain')
}

/** Explains an error code in general: details are placeholders such as `‹path›`. */
export function describeError(code: ErrorCode): Explanation {
  const describe = catalogue[code] as (details: ErrorDetails[ErrorCode]) => Explanation
  return describe(placeholders as ErrorDetails[ErrorCode])
}

/** Details whose name as a placeholder would not complete the sentence. */
const SAMPLES: Readonly<Record<string, string | number | readonly string[]>> = {
  problems: ['‹problem›'],
  slugs: ['‹slug›'],
  differences: ['‹difference›'],
  chain: [],
  paths: ['‹path›'],
  sources: ['‹source›'],
  attempts: 1,
  excerpt: '',
  wait: '',
  command: '',
  held: 'the lock has ‹number›',
  option: 'live',
  kind: 'test',
  workspace: 'prompts',
}

/** Every other detail is a placeholder with its name: `‹path›`. */
const placeholders = new Proxy({}, { get: (_, name: string) => SAMPLES[name] ?? `‹${name}›` })

function printCodes(errors: readonly ExplainedError[], { stdout, messages }: Terminal): void {
  const rows = errors.map(({ code, why }) => [code, why.split('\n')[0] ?? ''])
  for (const row of alignColumns(rows)) stdout.line(truncate(row, stdout.columns))
  messages.line('', messages.dim('prompts explain <code> shows what to do.'))
}

function printError(
  { code, why, fix, background: more }: ExplainedError,
  { prose }: Terminal,
): void {
  prose.line(prose.style('bold', code), '', why)
  if (more !== null) prose.line('', more)
  prose.line('', `Fix: ${fix}`)
}
