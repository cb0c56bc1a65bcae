import { envVariable, formatCommand, keyVariables, suggestPull } from '../core/workspace-name.ts'
import type { Environment } from '../core/prompt.ts'
import { pluralize, truncateList } from '../core/text/pluralize.ts'
import { suggestModule } from './did-you-mean.ts'

/** An error's explanation: what happened and why, and how to fix it. */
export interface Explanation {
  readonly why: string
  readonly fix: string
  /** One more sentence for the page of errors. */
  readonly background?: string
}

/** Details of an error whose explanation names commands or variables of a workspace. */
interface InWorkspace {
  readonly workspace: string
}

const errors = {
  OPTIONS_INVALID: (d: {
    source: string
    problems: readonly string[]
    /** The names of all options. */
    known?: readonly string[]
  }): Explanation => ({
    why: `The options in ${d.source} are not valid:${bullets(d.problems)}`,
    fix: 'Correct them. `node_modules/unplugin-prompts/dist/docs/options.md` describes all options.',
  }),
  CONFIG_UNREADABLE: (d: { path: string }): Explanation => ({
    why: `${d.path} could not be loaded.`,
    fix: d.path.endsWith('.json')
      ? 'Correct the file: it should be a JSON object.'
      : 'Correct the file: it should contain `export default defineConfig({ … })`.',
  }),
  APP_NOT_FOUND: (d: { source: string; glob: string }): Explanation => ({
    why: `The option \`apps\` in ${d.source} has ${d.glob}, which matches no folder with a package.json.`,
    fix: 'Correct the glob: it is relative to the folder of that configuration.',
  }),
  APP_UNFIT: (d: {
    source: string
    path: string
    differences: readonly string[]
  }): Explanation => ({
    why: `Apps with one lock need the same options, but ${d.source} and ${d.path} differ in:${bullets(d.differences)}`,
    fix: 'Set these options to the same in both, or leave the app out of `apps`.',
  }),
  KEY_MISSING: (d: {
    variable: string
    kind?: 'live' | 'test'
    /** What it would read. */
    parts?: readonly string[]
  }): Explanation => ({
    why: `There is no ${d.kind === undefined ? '' : `${d.kind} `}key for the prompt service${d.parts ? `, so these can't be read:${bullets(d.parts)}` : '.'}`,
    fix: `Set ${d.variable} in the environment or in .env.local. Builds from a committed lock need no key.`,
    background:
      'It is looked for in the process environment, `.env.<mode>.local`, `.env.<mode>`, `.env.local` and `.env`, also beside a shared lock.',
  }),
  KEY_MALFORMED: (d: { source: string; wrapping?: string | undefined }): Explanation => ({
    why: `The key from ${d.source} contains white space or another invalid character${d.wrapping === undefined ? '' : `: ${d.wrapping} around it`}.`,
    fix: 'Copy the key again, without quotes, spaces or line breaks.',
    background: '`docker run --env-file` takes quotes as a part of the value.',
  }),
  KEY_KIND_UNKNOWN: (d: { source: string }): Explanation => ({
    why: `The key from ${d.source} is neither a live nor a test key: it has no \`_live_\` or \`_test_\` after a prefix in lower case.`,
    fix: 'Use a key of the prompt service.',
  }),
  KEY_PUBLISHED: (d: { variable: string; source: string }): Explanation => ({
    why: `The key from ${d.source} is also in ${d.variable}, a variable that bundlers publish to the browser.`,
    fix: `Remove ${d.variable}, revoke that key, and replace it by a new one.`,
  }),
  PREFIX_PUBLISHES_KEY: (d: {
    setting: string
    prefix: string
    variable: string
  }): Explanation => ({
    why: `\`${d.setting}\` exposes every variable that begins with ${d.prefix} to the app's code, including ${d.variable}, which is for a key.`,
    fix: `Choose a prefix that ${d.variable} does not begin with. If code was published with it, revoke the key.`,
  }),
  KEY_IN_BUNDLE: (d: { file: string }): Explanation => ({
    why: `${d.file} of this build contains the key of the prompt service, so everybody with the file can read it.`,
    fix: 'Remove what adds it, such as `define` or an imported file. If the file was published, revoke the key.',
  }),
  BASE_URL_MISSING: (d: { variable: string }): Explanation => ({
    why: 'There is no URL of the prompt service.',
    fix: `Set \`baseUrl\` in the options, or ${d.variable} in the environment.`,
  }),
  BASE_URL_INVALID: (d: { problem: string; source?: string | undefined }): Explanation => ({
    why: `The URL of the prompt service${d.source === undefined ? '' : ` from ${d.source}`} is not valid: ${d.problem}.`,
    fix: 'Use an https: URL without user name or password; http: is for this machine, or in `fetchJson` with `allowHttp`.',
  }),
  KEYS_ALIKE: (d: { environment: string; sources: readonly string[] }): Explanation => ({
    why: `The keys from ${d.sources.join(' and ')} differ, but both are ${d.environment} keys.`,
    fix: 'Set one live key and one test key of the same workspace.',
  }),
  KEYS_OF_TWO_WORKSPACES: (d: { differences: readonly string[] }): Explanation => ({
    why: `The live key and the test key show different workspaces:${bullets(d.differences)}`,
    fix: 'Set two keys of the same workspace. Nothing was written.',
  }),
  SERVICE_ADAPTER_FAILED: (d: {
    service: string
    problems: readonly string[]
    /** How to fix the cause. */
    advice?: string
  }): Explanation => ({
    why: `${d.service} could not be read:${bullets(d.problems)}`,
    fix: `${d.advice ?? "Correct `service` in the configuration. For a prompt that does not fit, `get` returns `{ refused: 'reason' }`."} Nothing was written.`,
  }),
  SERVICE_UNREACHABLE: (
    d: InWorkspace & { url: string; reason: string; attempts: number },
  ): Explanation => ({
    why: `${d.url} can't be reached: ${d.reason}${attemptsNote(d.attempts)}.`,
    fix: `${reachAdvice(d)} A build with a lock needs neither.`,
  }),
  SERVICE_TIMEOUT: (d: { url: string; milliseconds: number; attempts: number }): Explanation => ({
    why: `${d.url} did not respond completely within ${d.milliseconds} ms${attemptsNote(d.attempts)}.`,
    fix: 'Try again later, or raise `timeout`.',
  }),
  CERTIFICATE_INVALID: (d: { url: string; reason: string }): Explanation => ({
    why: `The certificate of ${d.url} is not valid: ${d.reason}.`,
    fix: 'Check the URL. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.',
    background:
      'A company that inspects traffic has an authority which Node does not know: export its certificate as a PEM file, and set `NODE_EXTRA_CA_CERTS=/path/to/company.pem`.',
  }),
  KEY_REFUSED: (d: { url: string; source: string; excerpt: string }): Explanation => ({
    why: `${d.url} rejected the key from ${d.source} (401${excerptNote(d.excerpt)}).`,
    fix: 'Check that the key is still valid and belongs to this service.',
  }),
  ACCESS_DENIED: (d: { url: string; excerpt: string }): Explanation => ({
    why: `The key may not read ${d.url} (403${excerptNote(d.excerpt)}).`,
    fix: 'Ask for a key that may read this workspace.',
  }),
  SERVICE_NOT_FOUND: (d: InWorkspace & { url: string }): Explanation => ({
    why: `${d.url} does not exist (404).`,
    fix: `Check ${baseUrlOption(d)}. It is the part before /api/v1/prompts.`,
  }),
  RATE_LIMITED: (
    d: InWorkspace & { url: string; wait: string; attempts: number },
  ): Explanation => ({
    why: `${d.url} limits the rate of requests (429)${attemptsNote(d.attempts)}${waitNote(d.wait)}.`,
    fix: `Pull again later. \`${formatCommand(d.workspace, 'pull --changed')}\` fetches fewer prompts.`,
  }),
  SERVICE_FAILED: (d: {
    url: string
    status: number
    attempts: number
    excerpt: string
    wait: string
  }): Explanation => ({
    why: `${d.url} failed with status ${d.status}${attemptsNote(d.attempts)}${excerptNote(d.excerpt)}${waitNote(d.wait)}.`,
    fix: 'Try again later. A build with a lock needs no service.',
  }),
  STATUS_UNEXPECTED: (d: { url: string; status: number; excerpt: string }): Explanation => ({
    why: `${d.url} returned the unexpected status ${d.status}${excerptNote(d.excerpt)}.`,
    fix: ANSWER_ADVICE,
  }),
  REDIRECTED: (d: InWorkspace & { url: string; status: number; target: string }): Explanation => ({
    why: `${d.url} redirects to ${d.target} (${d.status}); redirects are not followed, because they would forward the key.`,
    fix: `If the target is the service, set ${baseUrlOption(d)} to it.`,
  }),
  ANSWER_NOT_JSON: (d: { url: string; contentType: string; excerpt: string }): Explanation => ({
    why: `${d.url} returned ${d.contentType} instead of JSON${excerptNote(d.excerpt)}.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_EMPTY: (d: { url: string; status: number }): Explanation => ({
    why: `${d.url} returned status ${d.status} and an empty body.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_INCOMPLETE: (d: { url: string; attempts: number }): Explanation => ({
    why: `The response of ${d.url} is incomplete${attemptsNote(d.attempts)}.`,
    fix: 'Try again. If this continues, a proxy or network device closes connections early.',
  }),
  ANSWER_NOT_UTF8: (d: { url: string }): Explanation => ({
    why: `The response of ${d.url} is not valid UTF-8.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_TOO_LARGE: (d: { url: string; limit: number }): Explanation => ({
    why: `The response of ${d.url} is larger than ${d.limit} bytes.`,
    fix: ANSWER_ADVICE,
  }),
  ANSWER_INVALID: (d: { problems: readonly string[] }): Explanation => ({
    why: `The response of the service is not valid:${bullets(d.problems)}`,
    fix: 'Check that `baseUrl` is the prompt service. If it is, report this to its operator. The lock is unchanged.',
  }),
  ANSWER_PAGINATED: (d: { url: string; sign: string }): Explanation => ({
    why: `${d.url} seems to return its list in pages (${d.sign}), which this version does not support.`,
    fix: 'Update unplugin-prompts; if it is current, report this.',
  }),
  PROMPT_NOT_FOUND: (d: { slugs: readonly string[] }): Explanation => ({
    why: `The service lists these prompts, but does not have them:${bullets(d.slugs)}`,
    fix: 'Pull again in a moment. If this continues, exclude them and report it to the operator of the service.',
  }),
  SLUG_DUPLICATE: (d: { slugs: readonly string[] }): Explanation => ({
    why: `The service lists these slugs more than once:${bullets(d.slugs)}`,
    fix: 'Rename or remove the duplicates in the workspace.',
  }),
  SLUG_UNSAFE: (d: { slugs: readonly string[] }): Explanation => ({
    why: `These slugs can't be part of a URL, so the prompts can't be read:${bullets(d.slugs)}`,
    fix: 'Rename them in the workspace, or leave them out with `exclude`.',
  }),
  SLUG_UNKNOWN: (d: {
    slugs: readonly string[]
    noun: string
    known?: readonly string[]
    /** The environment in which the lock has it. */
    pinned?: Environment | undefined
  }): Explanation => ({
    why: `No ${d.noun} is called:${bullets(d.slugs)}`,
    fix: d.pinned
      ? `The lock has it with \`--environment ${d.pinned}\`.`
      : 'Check the spelling, and whether `include` and `exclude` select it.',
  }),
  PROMPT_UNKNOWN: (d: InWorkspace & { problems: readonly string[] }): Explanation => ({
    why: `The lock has no prompt for these names in the code:${bullets(d.problems)}`,
    fix: `Correct the name, or run ${npxCommand(d, 'pull')}, which pins the prompt or says why it does not fit.`,
  }),
  TEXT_UNPAIRED_SURROGATE: (d: { problems: readonly string[] }): Explanation => ({
    why: `These texts contain an unpaired surrogate, which a UTF-8 file can't store:${bullets(d.problems)}`,
    fix: 'Correct the text in the workspace. Often an emoji was cut in half.',
  }),
  TEXT_HOLDS_KEY: (d: { problems: readonly string[] }): Explanation => ({
    why: `These texts contain something that looks like a key of the prompt service:${bullets(d.problems)}`,
    fix: 'Remove the key from the prompt and revoke it.',
  }),
  TOO_MANY_TOKENS: (d: { problems: readonly string[]; limit: number }): Explanation => ({
    why: `These prompts have more than ${pluralize(d.limit, 'variable token')}:${bullets(d.problems)}`,
    fix: 'Split the prompt, or leave it out with `exclude`. Nothing was written.',
  }),
  PULL_UNSETTLED: (d: { slugs: readonly string[]; rounds: number }): Explanation => ({
    why: `After ${d.rounds} rounds, the service's list and its answers still differ for:${bullets(d.slugs)}`,
    fix: 'Pull again when nobody edits. If that fails, the service lists another version, folder or model than it serves.',
  }),
  PULL_EMPTY: (
    /** `refused`: the prompts that do not fit, with the reasons. */
    d: InWorkspace & { held: string; refused?: readonly string[] },
  ): Explanation => ({
    why: d.refused
      ? `No prompt of the service fits, and ${d.held}. These do not fit:${bullets(d.refused)}`
      : `The service has no prompt that the options select, and ${d.held}.`,
    fix: `${d.refused ? 'Correct these prompts in the service.' : 'Check the key, `include` and `exclude`.'} If this is intended, run ${npxCommand(d, 'pull --allow-replace')}.`,
  }),
  PULL_UNRELATED: (
    d: InWorkspace & { count: number; known: number; path: string },
  ): Explanation => ({
    why: `The service lists ${pluralize(d.count, 'prompt')}, but none of the ${pluralize(d.known, 'prompt')} in ${d.path}.`,
    fix: `The key is probably of another workspace: check it and the URL. If this is intended, run ${npxCommand(d, 'pull --allow-replace')}.`,
  }),
  LOCK_MISSING: (
    /** `others`: the locks of other folders. */
    d: InWorkspace & { path: string; others?: readonly string[] },
  ): Explanation => ({
    why: `There is no lock at ${d.path}.${d.others ? ` Git has these:${bullets(d.others)}` : ''}`,
    fix: d.others ? 'Run the command in the folder of a lock.' : suggestPull(d.workspace),
  }),
  ENVIRONMENT_MISSING: (d: InWorkspace): Explanation => ({
    why: 'There is no lock yet and only a test key, which reads no live version of a staged prompt.',
    fix: `Set \`environment: 'test'\` in ${d.workspace}.config.* to serve staging, or ${keyVariables(d.workspace).live} to a live key.`,
  }),
  LIVE_UNREAD: (
    /** `service`: the name of a custom service. */
    d: InWorkspace & { path: string; slugs: readonly string[]; service?: string | undefined },
  ): Explanation => ({
    why: `${d.path} uses prompts of which the lock has only the staging version:${bullets(d.slugs)}`,
    fix: `Run ${npxCommand(d, 'pull')}${d.service === undefined ? ` with a live key (${keyVariables(d.workspace).live})` : `, which reads the live version from ${d.service} or says why it does not fit`}. For staging, set \`environment: 'test'\` in ${d.workspace}.config.*, or import \`virtual:${d.workspace}/staging\`.`,
  }),
  LOCK_CONFLICTED: (
    /** `losesHold`: whether a pull can't merge the sides without losing a hold. */
    d: InWorkspace & { path: string; line: number; losesHold?: boolean },
  ): Explanation => ({
    why: `${d.path} has an unresolved merge conflict (line ${d.line}).`,
    fix: d.losesHold
      ? mergeByHand(d)
      : `Run ${npxCommand(d, 'pull')}, which merges both sides, or resolve it by hand.`,
  }),
  LOCK_DUPLICATE: (
    d: InWorkspace & { path: string; slugs: readonly string[]; losesHold?: boolean },
  ): Explanation => ({
    why: `${d.path} has more than one entry of these prompts, as git can merge a rename without a conflict:${bullets(d.slugs)}`,
    fix: d.losesHold ? mergeByHand(d) : `Run ${npxCommand(d, 'pull')}, which merges them.`,
  }),
  LOCK_UNSORTED: (d: InWorkspace & { path: string; slugs: readonly string[] }): Explanation => ({
    why: `${d.path} has entries in the wrong order, from here on:${bullets(d.slugs)}`,
    fix: `Run ${npxCommand(d, 'generate')}, which sorts them without a key.`,
  }),
  LOCK_SYNTAX: (
    d: InWorkspace & { path: string; line: number; slug?: string | undefined },
  ): Explanation => ({
    why: `${d.path} is not valid JSON (line ${d.line}${d.slug === undefined ? '' : `, in the entry of ${d.slug}`}).`,
    fix: restoreOrPull(d),
  }),
  LOCK_TOO_NEW: (d: { path: string; found: string; known: number }): Explanation => ({
    why: `${d.path} has lockVersion ${d.found}; this version of unplugin-prompts supports ${d.known}.`,
    fix: 'Upgrade unplugin-prompts. The lock is unchanged.',
  }),
  LOCK_INVALID: (d: InWorkspace & { path: string; problems: readonly string[] }): Explanation => ({
    why: `${d.path} is not a valid lock file:${bullets(d.problems)}`,
    fix: restoreOrPull(d),
  }),
  LOCK_EDITED: (d: InWorkspace & { path: string; slugs: readonly string[] }): Explanation => ({
    why: `${d.path} was changed by hand; the hashes of these entries don't match:${bullets(d.slugs)}`,
    fix: `${restoreOrPull(d)} Edit prompts in the prompt service, or with ${npxCommand(d, 'edit')}.`,
  }),
  PART_LOST: (d: { parts: readonly string[] }): Explanation => ({
    why: `What the lock had of these prompts can't be replaced or left:${bullets(d.parts)}`,
    fix: 'Restore the lock from version control, merge it by hand, or pull these. Nothing was written.',
  }),
  LOCK_UNFIT: (d: InWorkspace & { path: string; differences: readonly string[] }): Explanation => ({
    why: `${d.path} does not match the options:${bullets(d.differences)}`,
    fix: suggestPull(d.workspace),
  }),
  LOCK_BUSY: (d: { path: string; lockfile: string; pid: string }): Explanation => ({
    why: `Process ${d.pid} is writing ${d.path}.`,
    fix: `Wait until it finishes, then try again. If it has ended, delete ${d.lockfile}.`,
  }),
  FILE_UNREADABLE: (d: { path: string; reason: string }): Explanation => ({
    why: `${d.path} can't be read: ${d.reason}.`,
    fix: 'Check that it is a file in UTF-8 and that you have permission to read it.',
  }),
  FILE_NOT_UTF8: (d: { path: string; encoding: string }): Explanation => ({
    why: `${d.path} is encoded as ${d.encoding}, not as UTF-8.`,
    fix: 'Save it as UTF-8. In Windows PowerShell, write it with `Set-Content -Encoding utf8` instead of `>`.',
  }),
  FILE_UNWRITABLE: (
    /** `written`: the files that were written before it, and stay. */
    d: { path: string; reason: string; written?: readonly string[] },
  ): Explanation => ({
    why: `${d.path} can't be written: ${d.reason}. It is unchanged.${listWritten(d)}`,
    fix: `Check the path, its permissions and the free disk space.${d.written ? REPAIR : ''}`,
  }),
  FILE_CHANGED: (
    /** `written`: as for FILE_UNWRITABLE. */
    d: { path: string; written?: readonly string[] },
  ): Explanation => ({
    why: `${d.path} changed after it was read, by another command or by hand.${listWritten(d) || ' Nothing was written.'}`,
    fix: `Try again: that starts from the file as it is now.${d.written ? REPAIR : ''}`,
  }),
  FILE_FOREIGN: (d: { path: string }): Explanation => ({
    why: `${d.path} exists and was not generated by unplugin-prompts. It is unchanged.`,
    fix: 'Move or delete it, or set another path in the options.',
  }),
  BUNDLER_UNSUPPORTED: (d: { bundler: string; version: string; lowest: string }): Explanation => ({
    why: `${d.bundler} ${d.version} is not supported.`,
    fix: `Install ${d.bundler} ${d.lowest} or newer. Or import real files, which need no plugin: write \`{ "outDir": "prompts", "dts": false }\` to prompts.config.json (\`node_modules/unplugin-prompts/dist/docs/setup/tsc.md\`).`,
  }),
  MODULE_REFUSED: (d: { found: string; position: number }): Explanation => ({
    why: `The generated module contains ${d.found} at position ${d.position}, which is not allowed. Nothing was written.`,
    fix: 'This is a bug in unplugin-prompts or an attack by a prompt. Please report it with the lock.',
  }),
  MODULE_UNKNOWN: (d: { id: string; module: string }): Explanation => ({
    why: `There is no module '${d.id}'.`,
    fix: `Import '${d.module}' or '${d.module}/all'.${suggestModule(d.id, d.module)}`,
  }),
  MODULE_EXTERNAL: (d: { module: string }): Explanation => ({
    why: `The output imports '${d.module}', which exists only in the build: a setting or a plugin made it external.`,
    fix: 'Leave it out of `external` (webpack and Rspack: `externals`): no pattern may match `virtual:`.',
  }),
  NAME_TAKEN: (d: { name: string }): Explanation => ({
    why: `Two calls of \`prompts()\` in one build have the workspace name \`${d.name}\`.`,
    fix: 'Remove one call, or set another `name`.',
  }),
  TEST_IN_PRODUCTION: (d: { path: string }): Explanation => ({
    why: `This production build uses staging prompts (${d.path}).`,
    fix: "Set `environment: 'live'` for the live prompts, or `production: 'allow'`.",
  }),
  PROMPTS_IN_CLIENT: (d: InWorkspace & { path?: string | undefined }): Explanation => ({
    why: `${d.path === undefined ? 'Browser code imports prompts' : `${d.path} imports prompts into browser code`}, so everybody can read them.`,
    fix: `Move the import to server code, or set \`client: 'allow'\` in ${d.workspace}.config.*.`,
  }),
  TSCONFIG_INVALID: (d: { path: string; reason: string }): Explanation => ({
    why: `${d.path} is not valid: ${d.reason}`,
    fix: 'Correct it, or select another file with `--tsconfig`.',
  }),
  TYPES_NOT_FOUND: (
    /** `replaces`: the module whose types the file replaces. */
    d: { path: string; folder: string; replaces?: string },
  ): Explanation => ({
    why: d.replaces
      ? `${d.path} replaces the types of ${d.replaces} instead of adding to them, so prompts have other types.`
      : `${d.path} imports types from unplugin-prompts, which TypeScript can't find from ${d.folder}: every prompt is \`any\`.`,
    fix: d.replaces
      ? 'Add `export {}` to it, or delete it if it was generated at a former place.'
      : 'Install unplugin-prompts there, or set `dts` or `outDir` to a path in a package that depends on it.',
  }),
  WORKSPACE_INVALID: (d: { path: string; problems: readonly string[] }): Explanation => ({
    why: `${d.path} is not a valid workspace file:${bullets(d.problems)}`,
    fix: 'Correct the file. `prompts serve --example` writes an example if there is no file.',
  }),
  PORT_UNAVAILABLE: (d: { port: number; reason: string }): Explanation => ({
    why: `Port ${d.port} can't be used: ${d.reason}.`,
    fix: 'Choose another port with `--port`, or leave `--port` out for the next free one.',
  }),
  OUTPUT_UNWRITABLE: (d: { stream: string; reason: string }): Explanation => ({
    why: `${d.stream} can't be written: ${d.reason}.`,
    fix: 'Check the file or device of the redirection.',
  }),
  EDITOR_FAILED: (d: { reason: string }): Explanation => ({
    why: `The text was not edited: ${d.reason}.`,
    fix: 'Set EDITOR to a command that waits, such as `code --wait`, or name a file with `--system-file` or `--user-file`.',
  }),
  REVISION_UNREADABLE: (d: { revision: string; reason: string }): Explanation => ({
    why: `The git revision ${d.revision} can't be read: ${d.reason}.`,
    fix: adviceFor(d.reason),
    background:
      'A shallow clone has few: `git fetch --unshallow`, or `fetch-depth: 0` in GitHub Actions, fetches the others.',
  }),
  PACKAGE_MISSING: (d: { package: string }): Explanation => ({
    why: `This needs the package ${d.package}, which is not installed.`,
    fix: 'It is an optional dependency: install again without `--omit=optional`. Builds and `node --import` from a current lock need none of them.',
  }),
  USAGE: (d: { problem: string; command: string }): Explanation => ({
    why: d.problem,
    fix: `Run \`npx prompts ${d.command}--help\` for usage.`,
  }),
  UNEXPECTED: (d: { reason: string }): Explanation => ({
    why: `Unexpected error: ${d.reason}`,
    fix: 'This is a bug in unplugin-prompts. Please report it with the lines above.',
  }),
}

/** The permanent name of an error. */
export type ErrorCode = keyof typeof errors

/** The details that an error of each code is raised with; strings may be remote text. */
export type ErrorDetails = { [Code in ErrorCode]: Parameters<(typeof errors)[Code]>[0] }

/**
 * Every error of this package. Codes are permanent: new ones may be added, none is renamed or used
 * for something else. `docs/errors.md` lists them.
 */
export const catalogue: {
  readonly [Code in ErrorCode]: (details: ErrorDetails[Code]) => Explanation
} = errors

/** Longer lists are cut. */
const MAX_LISTED = 20

/** One line per item; a single one stays in the sentence. */
function bullets(items: readonly string[]): string {
  if (items.length === 1) return ` ${items[0]}`
  return truncateList(items, MAX_LISTED)
    .map((item) => `\n  - ${item}`)
    .join('')
}

/** What a commit has written before it failed. */
function listWritten({ written }: { written?: readonly string[] }): string {
  return written ? ` These files were written before it:${bullets(written)}` : ''
}

const REPAIR =
  ' Then pull: it makes these files and the lock fit each other. To go back, restore edited code from git first.'

function attemptsNote(attempts: number): string {
  return attempts === 1 ? '' : ` (${pluralize(attempts, 'attempt')})`
}

function excerptNote(excerpt: string): string {
  return excerpt === '' ? '' : `, “${excerpt}”`
}

function waitNote(wait: string): string {
  return wait === '' ? '' : `; it asks to wait ${wait}`
}

/** The option `baseUrl` with its environment variable. */
function baseUrlOption({ workspace }: InWorkspace): string {
  return `\`baseUrl\` (${envVariable(workspace, 'BASE_URL')})`
}

/** The address of a service on this machine. */
const LOCAL = /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/

function reachAdvice(d: InWorkspace & { url: string }): string {
  const option = baseUrlOption(d)
  return LOCAL.test(d.url)
    ? `Start the local service with \`npx prompts serve\`, or check ${option}.`
    : `Check the network and ${option}.`
}

const ANSWER_ADVICE =
  'Check that `baseUrl` is the prompt service itself and not a page or proxy in front of it.'

/** A command with `npx`, in back-ticks. */
function npxCommand({ workspace }: InWorkspace, command: string): string {
  return `\`npx ${formatCommand(workspace, command)}\``
}

/** For a merge that would lose a hold. */
function restoreOrPull(d: InWorkspace): string {
  return `Restore it from version control, or run ${npxCommand(d, 'pull')}, which shows what is lost and reads it again.`
}

function mergeByHand(d: InWorkspace): string {
  return `Resolve it by hand, because a merge would lose a hold: keep one whole entry of each prompt, then run ${npxCommand(d, 'pull')}.`
}

/** How the reason begins if the clone may lack the revision. */
export const SHALLOW = 'this clone is shallow'

/** The reason if there is no git. */
export const NO_GIT = 'git is not installed'

/** What to do, by how the reason begins. Some reasons are git's own words. */
const REVISION_ADVICE: readonly (readonly [reason: string, advice: string])[] = [
  ['not a git repository', 'Run this in a clone of the repository.'],
  [
    'detected dubious ownership',
    'Run this as the owner of that folder, or allow it with `git config --global --add safe.directory <folder>`.',
  ],
  [NO_GIT, 'Install git.'],
  [
    SHALLOW,
    'Check the name, and fetch the other revisions with `git fetch --unshallow`, in GitHub Actions with `fetch-depth: 0`.',
  ],
]

function adviceFor(reason: string): string {
  const advice = REVISION_ADVICE.find(([start]) => reason.startsWith(start))
  return advice?.[1] ?? 'Name another branch, tag or commit.'
}
