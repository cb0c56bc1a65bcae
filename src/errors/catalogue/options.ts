import type { Explanation, InWorkspace } from './explanation.ts'
import { bullets } from './phrases.ts'
import { envVariable } from '../../core/workspace-name.ts'

/** Errors about options, keys and the address of the service. */
export const optionErrors = {
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
  KEY_MISSING: (d: { variable: string }): Explanation => ({
    why: 'There is no key for the prompt service.',
    fix: `Set ${d.variable} in the environment or in .env.local. Builds from a committed lock need no key.`,
  }),
  KEY_MALFORMED: (d: { source: string }): Explanation => ({
    why: `The key from ${d.source} contains white space or another invalid character.`,
    fix: 'Copy the key again, without quotes, spaces or line breaks.',
  }),
  KEY_KIND_UNKNOWN: (d: { source: string }): Explanation => ({
    why: `The key from ${d.source} is neither a live nor a test key.`,
    fix: 'Use a key of the prompt service. It has `_live_` or `_test_` after its prefix.',
  }),
  KEY_PUBLISHED: (d: InWorkspace & { variable: string }): Explanation => ({
    why: `The key is also in ${d.variable}, a variable that bundlers publish to the browser.`,
    fix: `Remove ${d.variable}, revoke that key, and set a new one as ${envVariable(d.workspace, 'API_KEY')}.`,
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
  ENVIRONMENT_MISMATCH: (d: { option: string; kind: string; source: string }): Explanation => ({
    why: `The ${d.option} environment is selected, but the key from ${d.source} is a ${d.kind} key.`,
    fix: `Use a ${d.option} key, or remove the option or variable that selects ${d.option}.`,
  }),
}
