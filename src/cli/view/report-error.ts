import { inspect } from 'node:util'
import { debug } from '../../debug/debug.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { didYouMean } from '../../errors/did-you-mean.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { isPromptsError, type PromptsError, toPromptsError } from '../../errors/prompts-error.ts'
import { Interruption } from '../shell/command.ts'
import type { Terminal } from '../shell/terminal.ts'
import type { ErrorJson } from './json.ts'

/**
 * Prints the error that ended a run, or the JSON object with `--json`.
 *
 * @param command - its name, if one was found
 * @returns the exit code
 */
export function reportError(error: unknown, terminal: Terminal, command?: string): number {
  if (error instanceof Interruption) return reportInterruption(error, terminal, command)
  debug(
    'error',
    () => inspect(error, { depth: 9 }),
    (text) => terminal.errors.exactLine(text),
  )
  const fault = toPromptsError(error)
  terminal.json(errorJson(fault))
  if (!terminal.isJson) printError(fault, terminal)
  return fault.code === 'USAGE' ? 2 : 1
}

/**
 * Prints an error on stderr. Also for errors that don't end the command, such as a failed reload.
 */
export function printError(thrown: unknown, { errors }: Terminal): void {
  const { code, why, fix, causes } = errorJson(toPromptsError(thrown)).error
  const [first = '', ...rest] = why.split('\n')
  const sign = errors.style(['red', 'bold'], '✖')
  errors.line(`${sign} ${errors.dim(`[${code}]`)} ${errors.style('bold', first)}`, ...rest)
  for (const cause of causes) errors.line(`  ${errors.dim(`Cause: ${cause}`)}`)
  errors.line(`  ${errors.fix(fix)}`)
}

/** The JSON shape of an error. */
export function errorJson(error: PromptsError): ErrorJson {
  const { code, why, fix } = error
  return { error: { code, why, fix: suggestionFor(error) + fix, causes: causesOf(error) } }
}

/** Commands that write the lock at their end only, all at once. A report was written before. */
const WRITERS: ReadonlySet<string> = new Set(['pull', 'hold', 'unhold', 'restore', 'edit'])

function reportInterruption({ exitCode }: Interruption, terminal: Terminal, command = ''): number {
  const [why, fix] = ['The command was interrupted.', 'Run it again.']
  terminal.json({ error: { code: 'INTERRUPTED', why, fix, causes: [] } } satisfies ErrorJson)
  terminal.erase()
  const result = WRITERS.has(command) ? ' The lock is unchanged.' : ''
  terminal.messages.line(terminal.messages.dim(`Interrupted.${result}`))
  return exitCode
}

/** For unknown slugs and options, the one that may have been meant. */
function suggestionFor(error: PromptsError): string {
  if (isPromptsError(error, 'SLUG_UNKNOWN')) {
    const { slugs, known = [] } = error.details
    return nearest(slugs, known)
  }
  if (!isPromptsError(error, 'OPTIONS_INVALID')) return ''
  const { problems, known = [] } = error.details
  const unknown = problems.flatMap((problem) => /^(\S+): unknown option$/.exec(problem)?.[1] ?? [])
  if (unknown.length === 0 || known.length === 0) return ''
  return `${nearest(unknown, known)}The options are ${known.join(', ')}. `
}

function nearest(words: readonly string[], names: readonly string[]): string {
  const suggestion = words.map((word) => didYouMean(word, names)).find((text) => text !== '')
  return suggestion === undefined ? '' : `${suggestion.trimStart()} `
}

/** Maximum depth of printed causes. */
const MAX_CAUSES = 5

/** Errors whose details are in their cause. */
const SHOWS_CAUSES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CONFIG_UNREADABLE',
  'LOCK_SYNTAX',
  'MODULE_REFUSED',
  'UNEXPECTED',
])

/** The causes of an error, one line each, with the stack of an unexpected error. */
function causesOf(error: PromptsError): string[] {
  const lines: string[] = []
  let { cause } = error as Error
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    lines.push(sanitize(cause.message))
    if (error.code === 'UNEXPECTED') {
      const stack = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
      lines.push(...stack.map(sanitize))
    }
    cause = cause.cause
  }
  return SHOWS_CAUSES.has(error.code) ? lines.filter((line) => line !== '') : []
}
