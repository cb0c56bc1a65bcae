import { sep } from 'node:path'
import { neutralizeCiCommands, sanitize, sanitizeMessage } from '../core/text/sanitize.ts'
import { isWorkspaceName } from '../core/workspace-name.ts'
import { catalogue, type ErrorCode, type ErrorDetails, type Explanation } from './catalogue.ts'

/** An error of the plugin or a command: a permanent code, what happened, how to fix it, the cause. */
export class PromptsError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PromptsError'
  /** Permanent; `dist/docs/errors.md` lists all codes. */
  readonly code: Code
  /** What happened and why. */
  readonly why: string
  /** How to fix it. */
  readonly fix: string
  /** The values in the explanation. Paths are exact; all other text is safe to print. */
  readonly details: ErrorDetails[Code]

  /**
   * @param details - may contain remote text. The constructor makes message, details and causes
   *   safe to print, for every terminal, bundler and log that shows the error.
   */
  constructor(code: Code, details: ErrorDetails[Code], { cause }: { cause?: unknown } = {}) {
    const { why, fix } = explain(code, details)
    super(
      `[${code}] ${why}\n${fix}`,
      cause === undefined ? {} : { cause: printableCause(cause, code) },
    )
    this.code = code
    this.why = why
    this.fix = fix
    this.details = mapDetails(details, (text, name) =>
      PATH_DETAILS.has(name) ? text : printable(text),
    )
    // Bundlers print the stack, and a position in this package does not help with a known problem.
    if (!INTERNAL_ERRORS.has(code)) this.stack = `${this.name}: ${this.message}`
  }
}

/** Returns one line. Node prints the details of an uncaught error. */
function printable(text: string): string {
  return neutralizeCiCommands(sanitize(text))
}

function explain<Code extends ErrorCode>(code: Code, details: ErrorDetails[Code]): Explanation {
  const { why, fix } = catalogue[code](
    mapDetails(details, (text, name) =>
      sanitize(PATH_DETAILS.has(name) ? fromWorkingDirectory(text) : text),
    ),
  )
  return { why: sanitizeMessage(why), fix: sanitizeMessage(fix) }
}

/** A path below the working directory, as a person would type it. */
function fromWorkingDirectory(path: string): string {
  const folder = process.cwd() + sep
  return path.startsWith(folder) ? path.slice(folder.length) : path
}

/** Bundlers and Node print causes too. The message of a parser quotes what it parsed. */
function printableCause(cause: unknown, code: ErrorCode): unknown {
  if (cause instanceof PromptsError) return cause
  // A position in this package helps as little as above; one in a configuration file does.
  const hasStack = INTERNAL_ERRORS.has(code) || code === 'CONFIG_UNREADABLE'
  return copyError(cause, sanitizeMessage, { hasStack })
}

/** Details that are paths of this machine. */
const PATH_DETAILS: ReadonlySet<string> = new Set(['path', 'file', 'lockfile', 'written', 'others'])

/** Errors that are or may be bugs of this package. Their stack helps. */
const INTERNAL_ERRORS: ReadonlySet<ErrorCode> = new Set(['UNEXPECTED', 'MODULE_REFUSED'])

/** Whether a value is an error of this package, and of that code if one is given. */
export function isPromptsError<Code extends ErrorCode>(
  value: unknown,
  code?: Code,
): value is PromptsError<Code> {
  return value instanceof PromptsError && (code === undefined || value.code === code)
}

/** For `catch`: returns an error of this package as a value, and throws any other. */
export function asPromptsError(error: unknown): PromptsError {
  if (isPromptsError(error)) return error
  throw error
}

/** Returns an error of this package: PACKAGE_MISSING or UNEXPECTED for any other. */
export function toPromptsError(error: unknown): PromptsError {
  const known = explainMissingPackage(error)
  if (isPromptsError(known)) return known
  return new PromptsError('UNEXPECTED', { reason: errorMessage(error) }, { cause: error })
}

export function mapDetails<Details extends object>(
  details: Details,
  change: (text: string, name: string) => string,
): Details {
  const entries = Object.entries(details as Record<string, unknown>).map(([name, value]) => {
    const changed = (text: string): string => change(text, name)
    if (typeof value === 'string') return [name, changed(value)]
    return [name, Array.isArray(value) ? value.map(changed) : value]
  })
  return Object.fromEntries(entries) as Details
}

/** As in `Cannot find package 'undici' imported from …`; `module` in CommonJS. */
const MESSAGE = /^Cannot find (?:package|module) '([^'./\\][^'\\]*)'/

/** Turns the failed import of an optional dependency into PACKAGE_MISSING; keeps other errors. */
export function explainMissingPackage(error: unknown): unknown {
  const [, name] = MESSAGE.exec(errorMessage(error)) ?? []
  if (name === undefined || !/^(?:ERR_)?MODULE_NOT_FOUND$/.test(errorCode(error))) return error
  return new PromptsError('PACKAGE_MISSING', { package: name }, { cause: error })
}

/**
 * Awaits the import of a module that needs an optional dependency.
 */
export async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  return module.catch((error: unknown) => {
    throw explainMissingPackage(error)
  })
}

/**
 * Returns the error for a wrong command line.
 *
 * @param command - its name, whose help the error suggests. Default: the overview
 */
export function usageError(problem: string, command = ''): PromptsError<'USAGE'> {
  return new PromptsError('USAGE', { problem, command: command === '' ? '' : `${command} ` })
}

/**
 * Returns a value that is the name of a workspace, or throws OPTIONS_INVALID.
 *
 * @param source - what sets the name
 */
export function checkWorkspaceName(name: unknown, source: string): string {
  if (isWorkspaceName(name)) return name
  const problems = [
    'name: expected words of a-z and 0-9 joined by hyphens, such as billing-prompts, and no `-test` at the end',
  ]
  throw new PromptsError('OPTIONS_INVALID', { source, problems })
}

/** The code of an error of the system, TLS or undici, such as `ENOENT`; `''` if it has none. */
export function errorCode(error: unknown): string {
  return textOf(error instanceof Error && 'code' in error ? error.code : undefined)
}

/** The message of whatever was thrown; also of an object that is no error, or that can't be printed. */
export function errorMessage(error: unknown): string {
  try {
    const { message }: { message?: unknown } = Object(error)
    return typeof message === 'string' ? message : String(error)
  } catch {
    return 'unknown error'
  }
}

/** Deeper causes are dropped. */
const MAX_DEPTH = 5

/**
 * Copies an error and its causes, and changes every line of message and stack. Other fields are
 * dropped, because errors of the HTTP parser carry the bytes that were received.
 *
 * @param change - makes one line safe to print
 */
export function copyError(
  error: unknown,
  change: (line: string) => string,
  {
    hasStack = true,
    depth = MAX_DEPTH,
  }: { readonly hasStack?: boolean; readonly depth?: number } = {},
): Error {
  if (!(error instanceof Error)) return new Error(change(errorMessage(error)))
  const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const copy = new Error(
    change(errorMessage(error)),
    inner === undefined || depth === 0
      ? {}
      : { cause: copyError(inner, change, { hasStack, depth: depth - 1 }) },
  )
  copy.name = change(textOf(error.name))
  copy.stack = hasStack
    ? textOf(error.stack).split('\n').map(change).join('\n')
    : `${copy.name}: ${copy.message}`
  const code = errorCode(error)
  return code === '' ? copy : Object.assign(copy, { code: change(code) })
}

/** A field of an error, which anybody may have set to anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  EEXIST: 'a file with this name exists',
  EBUSY: 'another program uses it',
}

/** Describes an error of the file system in words. */
export function describeSystemError(error: unknown): string {
  return REASONS[errorCode(error)] ?? errorMessage(error)
}

/** Returns what throws the error for a file that can't be written. */
export function failWriting(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError('FILE_UNWRITABLE', path, cause)
  }
}

/** Creates the error for a file that can't be read or written. */
export function fileError(
  code: 'FILE_UNREADABLE' | 'FILE_UNWRITABLE',
  path: string,
  cause: unknown,
): PromptsError {
  return new PromptsError(code, { path, reason: describeSystemError(cause) }, { cause })
}
