import { type Explanation, type InWorkspace, bullets } from './phrases.ts'
import { formatCommand } from '../../core/suggested-command.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { envVariable } from '../../core/workspace-name.ts'

export const serviceErrors = {
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
    fix: 'Correct the file: it should contain `export default defineConfig({ … })`.',
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
  KEY_MISSING: (d: { variable: string; kind?: 'live' | 'test' }): Explanation => ({
    why: `There is no ${d.kind === undefined ? '' : `${d.kind} `}key for the prompt service.`,
    fix: `Set ${d.variable} in the environment or in .env.local. Builds from a committed lock need no key.`,
  }),
  KEY_MALFORMED: (d: { source: string }): Explanation => ({
    why: `The key from ${d.source} contains white space or another invalid character.`,
    fix: 'Copy the key again, without quotes, spaces or line breaks.',
  }),
  KEY_KIND_UNKNOWN: (d: { source: string }): Explanation => ({
    why: `The key from ${d.source} is neither a live nor a test key: it has no \`_live_\` or \`_test_\` after its prefix.`,
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
    why: 'There is no address of the prompt service.',
    fix: `Set \`baseUrl\` in the options, or ${d.variable} in the environment.`,
  }),
  BASE_URL_INVALID: (d: { problem: string }): Explanation => ({
    why: `The address of the prompt service is not valid: ${d.problem}.`,
    fix: 'Use an https: address without user name or password; http: is only allowed for this machine.',
  }),
  KEYS_ALIKE: (d: { environment: string; sources: readonly string[] }): Explanation => ({
    why: `The keys from ${d.sources.join(' and ')} differ, but both are ${d.environment} keys.`,
    fix: 'Set one live key and one test key of the same workspace.',
  }),
  KEYS_OF_TWO_WORKSPACES: (d: { differences: readonly string[] }): Explanation => ({
    why: `The live key and the test key show different workspaces:${bullets(d.differences)}`,
    fix: 'Set two keys of the same workspace. Nothing was written.',
  }),
  SERVICE_ADAPTER_FAILED: (d: { service: string; problems: readonly string[] }): Explanation => ({
    why: `${d.service} could not be read:${bullets(d.problems)}`,
    fix: 'Correct `service` in the configuration, leave these prompts out with `exclude`, or try again later. Nothing was written.',
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
    fix: 'Check the address. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.',
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
    fix: `Pull again later. \`${formatCommand(d.workspace, 'pull --changed')}\` needs fewer reads.`,
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
}

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
