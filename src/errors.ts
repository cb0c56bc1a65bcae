import { counted } from './core/counted.ts'
import { sanitize } from './core/sanitize.ts'
import { adviceToPull, commandOf } from './core/workspace-command.ts'
import { variableOf } from './core/workspace-name.ts'

/** What an error tells a person: what is wrong and why, and what mends it. */
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
  PULL_UNSETTLED: { slugs: readonly string[]; rounds: number }
  PULL_EMPTY: { held: string; workspace: string }
  LOCK_MISSING: { path: string; workspace: string }
  LOCK_CONFLICTED: { path: string; line: number; workspace: string }
  LOCK_SYNTAX: { path: string; workspace: string }
  LOCK_TOO_NEW: { path: string; found: string; known: number }
  LOCK_INVALID: { path: string; problems: readonly string[]; workspace: string }
  LOCK_EDITED: { path: string; slugs: readonly string[]; workspace: string }
  LOCK_UNFIT: { path: string; differences: readonly string[]; workspace: string }
  LOCK_BUSY: { path: string; pid: string }
  FILE_UNREADABLE: { path: string; reason: string }
  FILE_UNWRITABLE: { path: string; reason: string }
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
    fix: 'Mend the file: it should hold `export default defineConfig({ … })`. The cause says what is wrong.',
  }),
  KEY_MISSING: (d) => ({
    why: 'Reading the prompt service needs a key, and there is none.',
    fix: `Set ${d.variable} in the environment or in .env.local. Builds from a committed lock need no key.`,
  }),
  KEY_MALFORMED: (d) => ({
    why: `The key from ${d.source} holds white space, a line break or a character no key has.`,
    fix: 'Copy the key again, without quotes, spaces or line ends.',
  }),
  KEY_KIND_UNKNOWN: (d) => ({
    why: `The key from ${d.source} does not say whether it is live or test.`,
    fix: 'Use a key of the prompt service: it begins with svc_live_ or svc_test_.',
  }),
  KEY_PUBLISHED: (d) => ({
    why: `The key is also in ${d.variable}, a variable that bundlers publish to the browser.`,
    fix: `Remove ${d.variable}, revoke that key, and set a new one as ${variableOf(d.workspace, 'API_KEY')}.`,
  }),
  PREFIX_PUBLISHES_KEY: (d) => ({
    why: `\`${d.setting}\` puts every variable that begins with ${d.prefix} into the app's code: ${d.variable} too, which is for a key.`,
    fix: `Choose a prefix that ${d.variable} does not begin with. If code was published with it, revoke the key.`,
  }),
  KEY_IN_BUNDLE: (d) => ({
    why: `${d.file} of this build holds the key of the prompt service: whoever gets the file can read it.`,
    fix: 'Take out what puts it there, such as `define` or an imported file. If it was published, revoke the key.',
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
    why: `${d.url} can't be reached: ${d.reason} (${counted(d.attempts, 'attempt')}).`,
    fix: `Check the network and ${baseUrlOf(d)}. A build with a lock needs neither.`,
  }),
  SERVICE_TIMEOUT: (d) => ({
    why: `${d.url} gave no complete answer within ${d.milliseconds} ms (${counted(d.attempts, 'attempt')}).`,
    fix: 'Try again later, or raise `timeout`.',
  }),
  CERTIFICATE_INVALID: (d) => ({
    why: `The certificate of ${d.url} is not valid: ${d.reason}.`,
    fix: 'Check the address. For a private certificate authority, give Node its certificate in NODE_EXTRA_CA_CERTS.',
  }),
  KEY_REFUSED: (d) => ({
    why: `${d.url} refused the key from ${d.source} (401${quoted(d.excerpt)}).`,
    fix: 'Check that the key is still valid: it begins with svc_live_ or svc_test_ and belongs to this service.',
  }),
  ACCESS_DENIED: (d) => ({
    why: `The key may not read ${d.url} (403${quoted(d.excerpt)}).`,
    fix: 'Ask for a key that may read this workspace.',
  }),
  SERVICE_NOT_FOUND: (d) => ({
    why: `${d.url} does not exist (404).`,
    fix: `Check ${baseUrlOf(d)}. It stands before /api/v1/prompts.`,
  }),
  PROMPT_NOT_FOUND: (d) => ({
    why: `The service lists these prompts but says they do not exist (404):${bullets(d.slugs)}`,
    fix: 'Pull again in a moment. If it stays, exclude them and tell whoever runs the service.',
  }),
  RATE_LIMITED: (d) => ({
    why: `${d.url} takes no more reads now (429, ${counted(d.attempts, 'attempt')})${asked(d.wait)}.`,
    fix: `Pull again after that. \`${commandOf(d.workspace, 'pull --changed')}\` spends fewer reads.`,
  }),
  SERVICE_FAILED: (d) => ({
    why: `${d.url} failed with status ${d.status} (${counted(d.attempts, 'attempt')})${quoted(d.excerpt)}${asked(d.wait)}.`,
    fix: 'Try again later. A build with a lock needs no service.',
  }),
  STATUS_UNEXPECTED: (d) => ({
    why: `${d.url} answered with status ${d.status}, which this package does not know${quoted(d.excerpt)}.`,
    fix: ANSWER_ADVICE,
  }),
  REDIRECTED: (d) => ({
    why: `${d.url} redirects to ${d.target} (${d.status}); redirects are not followed, since the key would go along.`,
    fix: `If that is the service, make it ${baseUrlOf(d)}.`,
  }),
  ANSWER_NOT_JSON: (d) => ({
    why: `${d.url} answered with ${d.contentType}, not JSON${quoted(d.excerpt)}.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_EMPTY: (d) => ({
    why: `${d.url} answered with status ${d.status} and an empty body.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_INCOMPLETE: (d) => ({
    why: `The answer of ${d.url} is incomplete: it ended early (${counted(d.attempts, 'attempt')}).`,
    fix: 'Try again. If it stays, something between here and the service cuts connections.',
  }),
  ANSWER_NOT_UTF8: (d) => ({
    why: `The answer of ${d.url} holds bytes that are not UTF-8.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_TOO_LARGE: (d) => ({
    why: `The answer of ${d.url} is larger than ${d.limit} bytes.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_INVALID: (d) => ({
    why: `The service's answer does not have the promised shape:${bullets(d.problems)}`,
    fix: 'Check that `baseUrl` is this service; then tell whoever runs it. The lock is as it was.',
  }),
  ANSWER_PAGINATED: (d) => ({
    why: `${d.url} seems to give its list in pages (${d.sign}), and a part of the workspace is no snapshot.`,
    fix: 'Update unplugin-prompts; if it is current, report this.',
  }),

  // What the service serves
  SLUG_DUPLICATE: (d) => ({
    why: `The service lists these slugs more than once:${bullets(d.slugs)}`,
    fix: 'Rename or remove the doubles in the workspace.',
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
    why: `These texts hold half of a character (a lone surrogate), which no UTF-8 file can keep:${bullets(d.problems)}`,
    fix: 'Mend the text in the workspace, often a cut emoji.',
  }),
  TEXT_HOLDS_KEY: (d) => ({
    why: `These texts hold what looks like a key of the prompt service:${bullets(d.problems)}`,
    fix: 'Remove the key from the prompt and revoke it.',
  }),
  PULL_UNSETTLED: (d) => ({
    why: `The workspace kept changing: after ${d.rounds} rounds list and prompts still differ for:${bullets(d.slugs)}`,
    fix: 'Pull again when nobody is publishing.',
  }),
  PULL_EMPTY: (d) => ({
    why: `The service has no prompt for these options, and ${d.held}.`,
    fix: `Check the key, \`include\` and \`exclude\`. If it is meant, run ${npx(d, 'pull --allow-empty')}.`,
  }),

  // The lock and other files
  LOCK_MISSING: (d) => ({
    why: `There is no lock at ${d.path}.`,
    fix: adviceToPull(d.workspace),
  }),
  LOCK_CONFLICTED: (d) => ({
    why: `${d.path} holds an unresolved merge conflict (line ${d.line}).`,
    fix: `Resolve it, or run ${npx(d, 'pull')}, which writes it anew.`,
  }),
  LOCK_SYNTAX: (d) => ({
    why: `${d.path} is not valid JSON.`,
    fix: `Restore it from version control, or delete it and run ${npx(d, 'pull')}.`,
  }),
  LOCK_TOO_NEW: (d) => ({
    why: `${d.path} has lockVersion ${d.found}; this version of unplugin-prompts knows ${d.known}.`,
    fix: 'Upgrade unplugin-prompts. The lock is left as it is.',
  }),
  LOCK_INVALID: (d) => ({
    why: `${d.path} is no lock that this package wrote:${bullets(d.problems)}`,
    fix: `Restore it from version control, or delete it and run ${npx(d, 'pull')}.`,
  }),
  LOCK_EDITED: (d) => ({
    why: `${d.path} was changed by hand; these entries do not fit their integrity:${bullets(d.slugs)}`,
    fix: `Edit prompts in the prompt service, then run ${npx(d, 'pull')}; or restore the lock from version control.`,
  }),
  LOCK_UNFIT: (d) => ({
    why: `${d.path} does not fit the options:${bullets(d.differences)}`,
    fix: adviceToPull(d.workspace),
  }),
  LOCK_BUSY: (d) => ({
    why: `Another pull (process ${d.pid}) is writing ${d.path}.`,
    fix: 'Wait until it has ended, then pull again.',
  }),
  FILE_UNREADABLE: (d) => ({
    why: `${d.path} can't be read: ${d.reason}.`,
    fix: 'Check that it is a file and that you may read it.',
  }),
  FILE_UNWRITABLE: (d) => ({
    why: `${d.path} can't be written: ${d.reason}. It is as it was before.`,
    fix: 'Check the path, its permissions and the space on the disk.',
  }),

  // Generated code and builds
  MODULE_REFUSED: (d) => ({
    why: `The generated module holds ${d.found} at ${d.position}, which prompts never need; nothing was written.`,
    fix: 'This is a fault of unplugin-prompts or an attack by a prompt: please report it with the lock.',
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
    why: `Code for the browser imports prompts, so everybody can read them:${bullets(d.chain)}`,
    fix: "Move the import to server code, or set `client: 'allow'`.",
  }),

  // The app's own code
  TSCONFIG_INVALID: (d) => ({
    why: `${d.path} can't be used: ${d.reason}`,
    fix: 'Mend it, or name another one with --tsconfig.',
  }),
  TYPES_NOT_FOUND: (d) => ({
    why: `${d.path} imports types from unplugin-prompts, which can't be found from there.`,
    fix: 'Install unplugin-prompts as a dependency of the app itself.',
  }),

  // The local service
  WORKSPACE_INVALID: (d) => ({
    why: `${d.path} is no workspace file:${bullets(d.problems)}`,
    fix: 'Correct it; README shows one.',
  }),
  PORT_UNAVAILABLE: (d) => ({
    why: `Port ${d.port} can't be used: ${d.reason}.`,
    fix: 'Choose another one with --port.',
  }),

  // The command line
  USAGE: (d) => ({
    why: d.problem,
    fix: `Run \`prompts ${d.command}--help\` to see what is possible.`,
  }),
  UNEXPECTED: (d) => ({
    why: `This should not have happened: ${d.reason}`,
    fix: 'It is a fault of unplugin-prompts: please report it with the lines above.',
  }),
}

/** The one error class of this package: a permanent code, why, what mends it, and the cause. */
export class PromptsError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PromptsError'
  /** Permanent: README lists every one. */
  readonly code: Code
  /** What is wrong and why. */
  readonly why: string
  /** What mends it. */
  readonly fix: string
  /** What the explanation is made of, sanitized: for tools. */
  readonly details: ErrorDetails[Code]

  /** @param details - may hold remote text: it is sanitized here, once for every error */
  constructor(code: Code, details: ErrorDetails[Code], options?: { cause?: unknown }) {
    const safe = sanitizeDetails(details)
    const { why, fix } = catalogue[code](safe)
    super(`${why}\n${fix} [${code}]`, options)
    this.code = code
    this.why = why
    this.fix = fix
    this.details = safe
    // Bundlers print it, and where a known problem was found says nothing to the app's maker.
    if (!OURS.has(code)) this.stack = `${this.name}: ${this.message}`
  }
}

/** What is a fault of this package, or may be: there the place helps. */
const OURS: ReadonlySet<ErrorCode> = new Set(['UNEXPECTED', 'MODULE_REFUSED'])

/** Whether a value is this package's error, of that code where one is given. */
export function isPromptsError<Code extends ErrorCode>(
  value: unknown,
  code?: Code,
): value is PromptsError<Code> {
  return value instanceof PromptsError && (code === undefined || value.code === code)
}

function sanitizeDetails<Details extends object>(details: Details): Details {
  const entries = Object.entries(details as Record<string, Detail>)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, sanitizeDetail(value)]),
  ) as Details
}

function sanitizeDetail(value: Detail): Detail {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? sanitize(value) : value.map(sanitize)
}

/** Long lists are cut: the reader needs the kind of the problem and where to begin. */
const LISTED = 20

function bullets(items: readonly string[]): string {
  const shown = items.slice(0, LISTED).map((item) => `\n  - ${item}`)
  const hidden = items.length - LISTED
  return shown.join('') + (hidden > 0 ? `\n  - and ${hidden} more` : '')
}

interface OfWorkspace {
  readonly workspace: string
}

function npx({ workspace }: OfWorkspace, words: string): string {
  return `\`npx ${commandOf(workspace, words)}\``
}

function baseUrlOf({ workspace }: OfWorkspace): string {
  return `\`baseUrl\` (${variableOf(workspace, 'BASE_URL')})`
}

function quoted(excerpt: string): string {
  return excerpt === '' ? '' : `, “${excerpt}”`
}

function asked(wait: string): string {
  return wait === '' ? '' : `; it asks to wait ${wait}`
}
