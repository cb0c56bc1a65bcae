import { copyError } from './copy-error.ts'
import { pluralize } from '../core/text/pluralize.ts'
import { neutralizeCiCommands, sanitize, sanitizeMessage } from '../core/text/sanitize.ts'
import { suggestPull, formatCommand } from './suggested-command.ts'
import { envVariable } from '../core/workspace-name.ts'

/** An error's explanation: what is wrong and why, and how to fix it. */
export interface Explanation {
  readonly why: string
  readonly fix: string
}

type Detail = string | number | readonly string[]

/**
 * What must be known to raise an error of each code; strings may be remote text. `workspace` is the
 * name of one, for the commands and variables that the explanation tells.
 */
export interface ErrorDetails {
  OPTIONS_INVALID: { source: string; problems: readonly string[] }
  CONFIG_UNREADABLE: { path: string }
  KEY_MISSING: { variable: string }
  KEY_MALFORMED: { source: string }
  KEY_KIND_UNKNOWN: { source: string }
  KEY_PUBLISHED: { variable: string; workspace: string }
  KEY_IN_BUNDLE: { file: string }
  PREFIX_PUBLISHES_KEY: { setting: string; prefix: string; variable: string }
  BASE_URL_MISSING: { variable: string }
  BASE_URL_INVALID: { problem: string }
  ENVIRONMENT_MISMATCH: { option: string; kind: string; source: string }
  SERVICE_UNREACHABLE: { url: string; reason: string; attempts: number; workspace: string }
  SERVICE_TIMEOUT: { url: string; milliseconds: number; attempts: number }
  CERTIFICATE_INVALID: { url: string; reason: string }
  KEY_REFUSED: { url: string; source: string; excerpt: string }
  ACCESS_DENIED: { url: string; excerpt: string }
  SERVICE_NOT_FOUND: { url: string; workspace: string }
  PROMPT_NOT_FOUND: { slugs: readonly string[] }
  RATE_LIMITED: { url: string; wait: string; attempts: number; workspace: string }
  SERVICE_FAILED: {
    url: string
    status: number
    attempts: number
    excerpt: string
    wait: string
  }
  STATUS_UNEXPECTED: { url: string; status: number; excerpt: string }
  REDIRECTED: { url: string; status: number; target: string; workspace: string }
  ANSWER_NOT_JSON: { url: string; contentType: string; excerpt: string }
  ANSWER_EMPTY: { url: string; status: number }
  ANSWER_INCOMPLETE: { url: string; attempts: number }
  ANSWER_NOT_UTF8: { url: string }
  ANSWER_TOO_LARGE: { url: string; limit: number }
  ANSWER_INVALID: { problems: readonly string[] }
  ANSWER_PAGINATED: { url: string; sign: string }
  SLUG_DUPLICATE: { slugs: readonly string[] }
  SLUG_UNSAFE: { slugs: readonly string[] }
  /** `known`: what could have been meant, for suggestions. */
  SLUG_UNKNOWN: { slugs: readonly string[]; where: string; known?: readonly string[] }
  TEXT_UNPAIRED_SURROGATE: { problems: readonly string[] }
  TEXT_HOLDS_KEY: { problems: readonly string[] }
  TOO_MANY_TOKENS: { problems: readonly string[]; limit: number }
  PULL_UNSETTLED: { slugs: readonly string[]; rounds: number }
  PULL_EMPTY: { held: string; workspace: string }
  LOCK_MISSING: { path: string; workspace: string }
  LOCK_CONFLICTED: { path: string; line: number; workspace: string }
  LOCK_SYNTAX: { path: string; workspace: string }
  LOCK_TOO_NEW: { path: string; found: string; known: number }
  LOCK_INVALID: { path: string; problems: readonly string[]; workspace: string }
  LOCK_EDITED: { path: string; slugs: readonly string[]; workspace: string }
  LOCK_UNFIT: { path: string; differences: readonly string[]; workspace: string }
  LOCK_BUSY: { path: string; lockfile: string; pid: string }
  FILE_UNREADABLE: { path: string; reason: string }
  FILE_NOT_UTF8: { path: string; encoding: string }
  FILE_UNWRITABLE: { path: string; reason: string }
  FILE_FOREIGN: { path: string }
  MODULE_REFUSED: { found: string; position: number }
  MODULE_UNKNOWN: { id: string; module: string }
  NAME_TAKEN: { name: string }
  REQUIRE_REFUSED: { id: string }
  TEST_IN_PRODUCTION: { path: string }
  PROMPTS_IN_CLIENT: { chain: readonly string[] }
  TSCONFIG_INVALID: { path: string; reason: string }
  TYPES_NOT_FOUND: { path: string }
  WORKSPACE_INVALID: { path: string; problems: readonly string[] }
  PORT_UNAVAILABLE: { port: number; reason: string }
  PAGE_READS_LIMITED: { limit: number; workspace: string }
  OUTPUT_UNWRITABLE: { stream: string; reason: string }
  USAGE: { problem: string; command: string }
  UNEXPECTED: { reason: string }
}

/** The permanent name of an error. */
export type ErrorCode = keyof ErrorDetails

const ANSWER_ADVICE =
  'Check that `baseUrl` is the prompt service itself and not a page or proxy in front of it.'

/**
 * Every error of this package. Codes are permanent: they may be added, never renamed or reused.
 * Each entry turns the details of a case into why and fix; README lists them.
 */
export const catalogue: {
  readonly [Code in ErrorCode]: (details: ErrorDetails[Code]) => Explanation
} = {
  // Options and keys
  OPTIONS_INVALID: (d) => ({
    why: `The options in ${d.source} are not valid:${bullets(d.problems)}`,
    fix: 'Correct them. README lists every option with its default.',
  }),
  CONFIG_UNREADABLE: (d) => ({
    why: `${d.path} could not be loaded.`,
    fix: 'Fix the file: it should contain `export default defineConfig({ … })`. The cause shows what is wrong.',
  }),
  KEY_MISSING: (d) => ({
    why: 'Reading the prompt service needs a key, and there is none.',
    fix: `Set ${d.variable} in the environment or in .env.local. Builds from a committed lock need no key.`,
  }),
  KEY_MALFORMED: (d) => ({
    why: `The key from ${d.source} contains white space, a line break or a character that no key has.`,
    fix: 'Copy the key again, without quotes, spaces or line ends.',
  }),
  KEY_KIND_UNKNOWN: (d) => ({
    why: `The key from ${d.source} is neither a live nor a test key.`,
    fix: 'Use a key of the prompt service: it begins with svc_live_ or svc_test_.',
  }),
  KEY_PUBLISHED: (d) => ({
    why: `The key is also in ${d.variable}, a variable that bundlers publish to the browser.`,
    fix: `Remove ${d.variable}, revoke that key, and set a new one as ${envVariable(d.workspace, 'API_KEY')}.`,
  }),
  PREFIX_PUBLISHES_KEY: (d) => ({
    why: `\`${d.setting}\` puts every variable that begins with ${d.prefix} into the app's code: ${d.variable} too, which is for a key.`,
    fix: `Choose a prefix that ${d.variable} does not begin with. If code was published with it, revoke the key.`,
  }),
  KEY_IN_BUNDLE: (d) => ({
    why: `${d.file} of this build contains the key of the prompt service, so anyone who gets the file can read it.`,
    fix: 'Remove what adds it, such as `define` or an imported file. If the file was published, revoke the key.',
  }),
  BASE_URL_MISSING: (d) => ({
    why: 'Reading the prompt service needs its address, and there is none.',
    fix: `Set \`baseUrl\` in the options, or ${d.variable} in the environment.`,
  }),
  BASE_URL_INVALID: (d) => ({
    why: `The address of the prompt service can't be used: ${d.problem}.`,
    fix: 'Give an https: address without user name or password; http: is for this machine only.',
  }),
  ENVIRONMENT_MISMATCH: (d) => ({
    why: `\`environment\` is ${d.option}, but the key from ${d.source} is a ${d.kind} key.`,
    fix: `Use a ${d.option} key, or leave \`environment\` out.`,
  }),

  // Network and protocol
  SERVICE_UNREACHABLE: (d) => ({
    why: `${d.url} can't be reached: ${d.reason}${attemptsNote(d.attempts)}.`,
    fix: `Check the network and ${baseUrlOption(d)}. A build with a lock needs neither.`,
  }),
  SERVICE_TIMEOUT: (d) => ({
    why: `${d.url} gave no complete answer within ${d.milliseconds} ms${attemptsNote(d.attempts)}.`,
    fix: 'Try again later, or raise `timeout`.',
  }),
  CERTIFICATE_INVALID: (d) => ({
    why: `The certificate of ${d.url} is not valid: ${d.reason}.`,
    fix: 'Check the address. For a private certificate authority, give Node its certificate in NODE_EXTRA_CA_CERTS.',
  }),
  KEY_REFUSED: (d) => ({
    why: `${d.url} refused the key from ${d.source} (401${excerptNote(d.excerpt)}).`,
    fix: 'Check that the key is still valid: it begins with svc_live_ or svc_test_ and belongs to this service.',
  }),
  ACCESS_DENIED: (d) => ({
    why: `The key may not read ${d.url} (403${excerptNote(d.excerpt)}).`,
    fix: 'Ask for a key that may read this workspace.',
  }),
  SERVICE_NOT_FOUND: (d) => ({
    why: `${d.url} does not exist (404).`,
    fix: `Check ${baseUrlOption(d)}. It is the part before /api/v1/prompts.`,
  }),
  PROMPT_NOT_FOUND: (d) => ({
    why: `The service lists these prompts but says they do not exist (404):${bullets(d.slugs)}`,
    fix: 'Pull again in a moment. If this continues, exclude them and report it to the operator of the service.',
  }),
  RATE_LIMITED: (d) => ({
    why: `${d.url} answered with status 429: rate limited${attemptsNote(d.attempts)}${waitNote(d.wait)}.`,
    fix: `Pull again after that. \`${formatCommand(d.workspace, 'pull --changed')}\` spends fewer reads.`,
  }),
  SERVICE_FAILED: (d) => ({
    why: `${d.url} failed with status ${d.status}${attemptsNote(d.attempts)}${excerptNote(d.excerpt)}${waitNote(d.wait)}.`,
    fix: 'Try again later. A build with a lock needs no service.',
  }),
  STATUS_UNEXPECTED: (d) => ({
    why: `${d.url} answered with status ${d.status}, which this package does not know${excerptNote(d.excerpt)}.`,
    fix: ANSWER_ADVICE,
  }),
  REDIRECTED: (d) => ({
    why: `${d.url} redirects to ${d.target} (${d.status}); redirects are not followed, because the key would be sent along.`,
    fix: `If that is the service, make it ${baseUrlOption(d)}.`,
  }),
  ANSWER_NOT_JSON: (d) => ({
    why: `${d.url} answered with ${d.contentType}, not JSON${excerptNote(d.excerpt)}.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_EMPTY: (d) => ({
    why: `${d.url} answered with status ${d.status} and an empty body.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_INCOMPLETE: (d) => ({
    why: `The answer of ${d.url} is incomplete: it ended early${attemptsNote(d.attempts)}.`,
    fix: 'Try again. If this continues, a proxy or network device closes connections early.',
  }),
  ANSWER_NOT_UTF8: (d) => ({
    why: `The answer of ${d.url} contains bytes that are not UTF-8.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_TOO_LARGE: (d) => ({
    why: `The answer of ${d.url} is larger than ${d.limit} bytes.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_INVALID: (d) => ({
    why: `The service's answer does not have the promised shape:${bullets(d.problems)}`,
    fix: 'Check that `baseUrl` is this service; then report it to the operator. The lock is unchanged.',
  }),
  ANSWER_PAGINATED: (d) => ({
    why: `${d.url} seems to give its list in pages (${d.sign}), and a part of the workspace is no snapshot.`,
    fix: 'Update unplugin-prompts; if it is current, report this.',
  }),

  // What the service serves
  SLUG_DUPLICATE: (d) => ({
    why: `The service lists these slugs more than once:${bullets(d.slugs)}`,
    fix: 'Rename or remove the duplicates in the workspace.',
  }),
  SLUG_UNSAFE: (d) => ({
    why: `These slugs can't be read, since no URL can carry them:${bullets(d.slugs)}`,
    fix: 'Rename them in the workspace, or `exclude` them.',
  }),
  SLUG_UNKNOWN: (d) => ({
    why: `${d.where} has no prompt called:${bullets(d.slugs)}`,
    fix: 'Check the spelling; `include` and `exclude` may leave it out.',
  }),
  TEXT_UNPAIRED_SURROGATE: (d) => ({
    why: `These texts contain an unpaired surrogate, which a UTF-8 file can't store:${bullets(d.problems)}`,
    fix: 'Fix the text in the workspace. Often an emoji was cut in half.',
  }),
  TEXT_HOLDS_KEY: (d) => ({
    why: `These texts contain what looks like a key of the prompt service:${bullets(d.problems)}`,
    fix: 'Remove the key from the prompt and revoke it.',
  }),
  TOO_MANY_TOKENS: (d) => ({
    why: `These prompts have more than ${pluralize(d.limit, 'variable token')}:${bullets(d.problems)}`,
    fix: 'Split the prompt, or leave it out by `exclude`. Nothing was written.',
  }),
  PULL_UNSETTLED: (d) => ({
    why: `The workspace kept changing: after ${d.rounds} rounds list and prompts still differ for:${bullets(d.slugs)}`,
    fix: 'Pull again when nobody is publishing.',
  }),
  PULL_EMPTY: (d) => ({
    why: `The service has no prompt for these options, and ${d.held}.`,
    fix: `Check the key, \`include\` and \`exclude\`. If this is intended, run ${npxCommand(d, 'pull --allow-empty')}.`,
  }),

  // The lock and other files
  LOCK_MISSING: (d) => ({
    why: `There is no lock at ${d.path}.`,
    fix: suggestPull(d.workspace),
  }),
  LOCK_CONFLICTED: (d) => ({
    why: `${d.path} holds an unresolved merge conflict (line ${d.line}).`,
    fix: `Run ${npxCommand(d, 'pull')}, which merges both sides, or resolve it by hand.`,
  }),
  LOCK_SYNTAX: (d) => ({
    why: `${d.path} is not valid JSON.`,
    fix: `Restore it from version control, or delete it and run ${npxCommand(d, 'pull')}.`,
  }),
  LOCK_TOO_NEW: (d) => ({
    why: `${d.path} has lockVersion ${d.found}; this version of unplugin-prompts knows ${d.known}.`,
    fix: 'Upgrade unplugin-prompts. The lock is left as it is.',
  }),
  LOCK_INVALID: (d) => ({
    why: `${d.path} is not a valid lock file:${bullets(d.problems)}`,
    fix: `Restore it from version control, or delete it and run ${npxCommand(d, 'pull')}.`,
  }),
  LOCK_EDITED: (d) => ({
    why: `${d.path} was changed by hand; the hashes of these entries don't match:${bullets(d.slugs)}`,
    fix: `Edit prompts in the prompt service, then run ${npxCommand(d, 'pull')}; or restore the lock from version control.`,
  }),
  LOCK_UNFIT: (d) => ({
    why: `${d.path} does not fit the options:${bullets(d.differences)}`,
    fix: suggestPull(d.workspace),
  }),
  LOCK_BUSY: (d) => ({
    why: `Another pull (process ${d.pid}) is writing ${d.path}.`,
    fix: `Wait until it has finished, then pull again. If no pull is running, delete ${d.lockfile}.`,
  }),
  FILE_UNREADABLE: (d) => ({
    why: `${d.path} can't be read: ${d.reason}.`,
    fix: 'Check that it is a file and that you may read it.',
  }),
  FILE_NOT_UTF8: (d) => ({
    why: `${d.path} is encoded as ${d.encoding}, not as UTF-8.`,
    fix: 'Save it as UTF-8. In Windows PowerShell, write it with `Set-Content -Encoding utf8` instead of `>`.',
  }),
  FILE_UNWRITABLE: (d) => ({
    why: `${d.path} can't be written: ${d.reason}. It is as it was before.`,
    fix: 'Check the path, its permissions and the space on the disk.',
  }),
  FILE_FOREIGN: (d) => ({
    why: `${d.path} exists and was not generated by unplugin-prompts. It is left as it is.`,
    fix: 'Move or delete it, or set another path in the options.',
  }),

  // Generated code and builds
  MODULE_REFUSED: (d) => ({
    why: `The generated module holds ${d.found} at ${d.position}, which prompts never need; nothing was written.`,
    fix: 'This is a bug in unplugin-prompts or an attack by a prompt. Please report it with the lock.',
  }),
  MODULE_UNKNOWN: (d) => ({
    why: `There is no module ${d.id}.`,
    fix: `Import '${d.module}' or '${d.module}/all'.`,
  }),
  NAME_TAKEN: (d) => ({
    why: `Two calls of prompts() in one build are both for the workspace called ${d.name}.`,
    fix: 'Remove one, or give the other workspace a `name` of its own.',
  }),
  REQUIRE_REFUSED: (d) => ({
    why: `\`require('${d.id}')\` is not served: it is an ES module.`,
    fix: `Use \`import\`, or \`await import('${d.id}')\` in CommonJS.`,
  }),
  TEST_IN_PRODUCTION: (d) => ({
    why: `This production build takes its prompts from the test environment (${d.path}).`,
    fix: "Build with the live lock, or set `production: 'allow'`.",
  }),
  PROMPTS_IN_CLIENT: (d) => ({
    why: `Code for the browser imports prompts, so anyone can read them:${bullets(d.chain)}`,
    fix: "Move the import to server code, or set `client: 'allow'`.",
  }),

  // The app's own code
  TSCONFIG_INVALID: (d) => ({
    why: `${d.path} can't be used: ${d.reason}`,
    fix: 'Fix it, or choose another one with --tsconfig.',
  }),
  TYPES_NOT_FOUND: (d) => ({
    why: `${d.path} imports types from unplugin-prompts, which can't be found from there.`,
    fix: 'Install unplugin-prompts as a dependency of the app itself.',
  }),

  // The local service
  WORKSPACE_INVALID: (d) => ({
    why: `${d.path} is not a valid workspace file:${bullets(d.problems)}`,
    fix: 'Correct it. README shows an example.',
  }),
  PAGE_READS_LIMITED: (d) => ({
    why: `The page has read ${d.limit} prompts of the service within a minute, which is its limit; plans commonly count reads.`,
    fix: `Wait a minute, or compare all prompts at once with \`${formatCommand(d.workspace, 'diff')}\`.`,
  }),
  PORT_UNAVAILABLE: (d) => ({
    why: `Port ${d.port} can't be used: ${d.reason}.`,
    fix: 'Choose another one with --port.',
  }),

  // The command line
  OUTPUT_UNWRITABLE: (d) => ({
    why: `${d.stream} can't be written: ${d.reason}.`,
    fix: 'Check the file or device that it is redirected to.',
  }),
  USAGE: (d) => ({
    why: d.problem,
    fix: `Run \`prompts ${d.command}--help\` for usage.`,
  }),
  UNEXPECTED: (d) => ({
    why: `This should not have happened: ${d.reason}`,
    fix: 'This is a bug in unplugin-prompts. Please report it with the lines above.',
  }),
}

/** The one error class of this package: a permanent code, why, fix, and the cause. */
export class PromptsError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PromptsError'
  /** Permanent: README lists every one. */
  readonly code: Code
  /** What is wrong and why. */
  readonly why: string
  /** How to fix it. */
  readonly fix: string
  /** What the explanation is made of: paths are exact, all other text is safe to print. */
  readonly details: ErrorDetails[Code]

  /**
   * @param details - may contain remote text. Message, details and causes are made safe to print
   *   here, once for every terminal, bundler and log that shows the error.
   */
  constructor(code: Code, details: ErrorDetails[Code], { cause }: { cause?: unknown } = {}) {
    const { why, fix } = explain(code, details)
    super(`${why}\n${fix} [${code}]`, cause === undefined ? {} : { cause: printableCause(cause) })
    this.code = code
    this.why = why
    this.fix = fix
    this.details = mapDetails(details, (text, name) =>
      PATH_DETAILS.has(name) ? text : printable(text),
    )
    // Bundlers print it, and where a known problem was found says nothing to the app's maker.
    if (!INTERNAL_ERRORS.has(code)) this.stack = `${this.name}: ${this.message}`
  }
}

/** Text in one line. Node prints details with an error that nobody catches. */
function printable(text: string): string {
  return neutralizeCiCommands(sanitize(text))
}

function explain<Code extends ErrorCode>(code: Code, details: ErrorDetails[Code]): Explanation {
  const { why, fix } = catalogue[code](mapDetails(details, sanitize))
  return { why: sanitizeMessage(why), fix: sanitizeMessage(fix) }
}

/** Bundlers and Node print causes too, and a parser's message quotes what it parsed. */
function printableCause(cause: unknown): unknown {
  return cause instanceof PromptsError ? cause : copyError(cause, sanitizeMessage)
}

/** Names of details that are paths of this machine. */
const PATH_DETAILS: ReadonlySet<string> = new Set(['path', 'file', 'lockfile'])

/** What is a fault of this package, or may be: there the place helps. */
const INTERNAL_ERRORS: ReadonlySet<ErrorCode> = new Set(['UNEXPECTED', 'MODULE_REFUSED'])

/** Whether a value is this package's error, of that code where one is given. */
export function isPromptsError<Code extends ErrorCode>(
  value: unknown,
  code?: Code,
): value is PromptsError<Code> {
  return value instanceof PromptsError && (code === undefined || value.code === code)
}

function mapDetails<Details extends object>(
  details: Details,
  change: (text: string, name: string) => string,
): Details {
  const entries = Object.entries(details as Record<string, Detail>).map(([name, value]) => {
    if (typeof value === 'number') return [name, value]
    const changed = (text: string): string => change(text, name)
    return [name, typeof value === 'string' ? changed(value) : value.map(changed)]
  })
  return Object.fromEntries(entries) as Details
}

/** Long lists are cut: the reader needs the kind of the problem and where to begin. */
const MAX_LISTED = 20

/** A single attempt is nothing to mention. */
function attemptsNote(attempts: number): string {
  return attempts === 1 ? '' : ` (${pluralize(attempts, 'attempt')})`
}

function bullets(items: readonly string[]): string {
  const shown = items.slice(0, MAX_LISTED).map((item) => `\n  - ${item}`)
  const hidden = items.length - MAX_LISTED
  return shown.join('') + (hidden > 0 ? `\n  - and ${hidden} more` : '')
}

interface WorkspaceDetails {
  readonly workspace: string
}

function npxCommand({ workspace }: WorkspaceDetails, words: string): string {
  return `\`npx ${formatCommand(workspace, words)}\``
}

function baseUrlOption({ workspace }: WorkspaceDetails): string {
  return `\`baseUrl\` (${envVariable(workspace, 'BASE_URL')})`
}

function excerptNote(excerpt: string): string {
  return excerpt === '' ? '' : `, “${excerpt}”`
}

function waitNote(wait: string): string {
  return wait === '' ? '' : `; it asks to wait ${wait}`
}
