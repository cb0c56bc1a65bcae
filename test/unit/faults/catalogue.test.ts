import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PassThrough } from 'node:stream'
import { build } from 'esbuild'
import type { ResolvedConfig } from 'vite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { watchOutput } from '../../../src/cli/shell/terminal.ts'
import { catalogue, type ErrorCode } from '../../../src/errors/catalogue.ts'
import { isPromptsError, loaded } from '../../../src/errors/prompts-error.ts'
import { findImpact } from '../../../src/judge/impact.ts'
import { withFileLock } from '../../../src/fs/file-lock.ts'
import { readText } from '../../../src/fs/files.ts'
import type { Options } from '../../../src/config/options.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import { refuseExternal, refuseKey } from '../../../src/plugin/output.ts'
import { contextOf } from '../../../src/plugin/vite/vite.ts'
import esbuildPlugin from '../../../src/esbuild.ts'
import { readAtRevision } from '../../../src/fs/git.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { startServer } from '../../../src/local-service/serve.ts'
import { parseWorkspace, type Workspace } from '../../../src/local-service/workspace.ts'
import { locationIn } from '../../helpers/app-folder.ts'
import { folderWith, prompts } from '../../helpers/cli.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'
import {
  answer,
  head,
  json,
  type Play,
  raw,
  stall,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import { workspaceOf } from '../../helpers/local-service.ts'
import { liveLock, lockOf, lockText } from '../../helpers/pinned.ts'
import { type GivenProject, openTestProject } from '../../helpers/project.ts'
import { printModules } from '../../helpers/run-modules.ts'
import { startScriptedService } from '../../helpers/scripted-service.ts'
import {
  connect,
  KEY,
  listed,
  served,
  stallTooLong,
  summary,
} from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { pull } from '../../helpers/pull.ts'

/** The error that a scenario ended with, reduced to what these tests check. */
interface Raised {
  readonly code: string
  readonly why: string
  readonly fix: string
  readonly cause?: unknown
}

/** Runs what fails for real. The error may also be its result. */
type Work = () => Promise<unknown>

const LOCK = liveLock({ slug: 'a' })
const TEXT = lockText(LOCK)
const ENV = { PROMPTS_API_KEY: 'svc_live_local', PROMPTS_BASE_URL: 'http://127.0.0.1:9' }

/** A configuration with a custom service whose list is wrong. */
const CUSTOM =
  "export default { service: { name: 'Own', secrets: [], list: async () => [{}], get() {} } }"

/** Opens a project and does something with it. */
function inProject(
  given: GivenProject,
  work: (project: Awaited<ReturnType<typeof openTestProject>>) => Promise<unknown> = () =>
    Promise.resolve(),
): Work {
  return async () => work(await openTestProject(given))
}

/** Pulls in a project with these variables. */
function pullWith(variables: Readonly<Record<string, string>>, given: GivenProject = {}): Work {
  const processEnv = { ...ENV, ...variables }
  return inProject({ ...given, processEnv }, ({ project }) => pull(project))
}

/** Pulls in a project from a workspace, or from its moments. */
function pulling(script: readonly Workspace[], given: GivenProject = {}): Work {
  return async () => {
    const { url } = await startScriptedService(...script)
    return pullWith({ PROMPTS_BASE_URL: url }, given)()
  }
}

/** Lists the prompts of a server with this answer. */
function asking(play: Play, { slug }: { slug?: string } = {}) {
  return async (): Promise<unknown> => {
    const { url } = await startFaultServer(play)
    const service = connect(url)
    return slug === undefined ? service.list() : service.get(slug)
  }
}

/** An entry of a lock, with its comma. */
const ENTRY = / {4}\{\n[^]*?\n {4}\},\n/
const TWO = lockText(liveLock({ slug: 'a' }, { slug: 'b' }))
const UNSORTED = TWO.replace('"slug": "a"', '"slug": "c"')

const withLock = (text: string): Work =>
  inProject({ files: { 'prompts.lock.json': text } }, ({ project }) => project.readLock())

/**
 * Builds a file for the browser by the real esbuild, with as many calls of the plugin as there are
 * options; it passes on what a plugin threw.
 */
function building(code: string, calls: readonly Options[], lock = LOCK): Work {
  return async () => {
    const root = await folderWith({
      'prompts.lock.json': lockText(lock),
      'main.js': code,
    })
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    const plugins = calls.map((options) => esbuildPlugin({ ...options, dts: false }))
    const files = { entryPoints: ['main.js'], bundle: true, write: false }
    await build({ ...files, absWorkingDir: root, logLevel: 'silent', plugins }).catch(
      (failure: { errors: { detail: unknown }[] }) => {
        throw failure.errors[0]?.detail
      },
    )
  }
}

const IMPORT = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.a.slug)\n`

/** Without the declarations of JavaScript itself, which take a second to read. */
const BARE_TSCONFIG = '{ "compilerOptions": { "noLib": true, "types": [] }, "include": ["src"] }'

/** Type-checks an app of these files against a lock that breaks it. */
function checkingApp(files: Record<string, string>): Work {
  return async () => {
    const root = await folderWith(files)
    const [before, after] = [LOCK, liveLock({ slug: 'a', system: '{{ x }}' })]
    return findImpact({ ...locationIn(root), before, after })
  }
}

/** Runs a command and returns the error that it prints. */
async function printed(argv: readonly string[], cwd: string): Promise<Raised> {
  const { stdout } = await prompts([...argv, '--json'], { cwd })
  const { stderr } = await prompts(argv, { cwd })
  const { error } = JSON.parse(stdout) as { error: Raised }
  const cause = /Cause: (.+)/.exec(stderr)?.[1]
  return { ...error, cause: cause === undefined ? undefined : new Error(cause) }
}

/** Code in the same process that replaces what the printers build on, as a bad plugin could. */
async function withPoisonedStringify(): Promise<unknown> {
  const { stringify } = JSON
  JSON.stringify = (value: unknown) =>
    typeof value === 'string' ? `\`${value}\`` : stringify(value)
  try {
    return printModules(liveLock({ slug: 'a', system: '${process.exit(1)}' }))
  } finally {
    JSON.stringify = stringify
  }
}

const CASES: Readonly<Record<ErrorCode, Work>> = {
  OPTIONS_INVALID: inProject({ options: { concurrency: 0 } }),
  CONFIG_UNREADABLE: inProject({ files: { 'prompts.config.ts': 'export default {' } }),
  APP_NOT_FOUND: inProject({ options: { apps: 'apps/*' } }, ({ project }) => project.apps()),
  APP_UNFIT: inProject(
    {
      options: { apps: 'apps/*' },
      files: { 'apps/web/prompts.config.json': '{ "include": "web/*" }' },
    },
    ({ project }) => project.apps(),
  ),
  KEY_MISSING: pullWith({ PROMPTS_API_KEY: '' }),
  KEY_MALFORMED: pullWith({ PROMPTS_API_KEY: 'svc_live_a b' }),
  KEY_KIND_UNKNOWN: pullWith({ PROMPTS_API_KEY: 'sk-123' }),
  KEY_PUBLISHED: inProject({ processEnv: { ...ENV, VITE_KEY: ENV.PROMPTS_API_KEY } }),
  // Bundlers print errors about their output in their own form: test/bundlers/{key-in-bundle,external}.test.ts.
  KEY_IN_BUNDLE: () =>
    refuseKey(fakeHost(fakeProject({ options: { apiKey: KEY } })), [
      { file: 'a.js', read: () => `'${KEY}'` },
    ]),
  PREFIX_PUBLISHES_KEY: inProject({ published: { setting: 'envPrefix', prefixes: ['PROMPTS_'] } }),
  BASE_URL_MISSING: pullWith({ PROMPTS_BASE_URL: '' }),
  BASE_URL_INVALID: pullWith({ PROMPTS_BASE_URL: 'http://prompts.example' }),
  KEYS_ALIKE: pullWith({ PROMPTS_TEST_API_KEY: 'svc_live_other' }),
  SERVICE_ADAPTER_FAILED: pullWith({}, { files: { 'prompts.config.mjs': CUSTOM } }),
  KEYS_OF_TWO_WORKSPACES: async () => {
    const lists = [summary, { ...summary, slug: 'other' }]
    const { url } = await startFaultServer(
      lists.concat(lists).map((entry) => json({ ...listed, prompts: [entry] })),
    )
    return pullWith({ PROMPTS_TEST_API_KEY: 'svc_test_local', PROMPTS_BASE_URL: url })()
  },

  SERVICE_UNREACHABLE: () => connect('http://127.0.0.1:9').list(),
  SERVICE_TIMEOUT: asking(stallTooLong),
  CERTIFICATE_INVALID: async () =>
    connect((await startFaultServer(stall, { tls: true })).url).list(),
  KEY_REFUSED: asking(answer(401, '')),
  ACCESS_DENIED: asking(answer(403, '')),
  SERVICE_NOT_FOUND: asking(answer(404, '')),
  PROMPT_NOT_FOUND: pulling([
    workspaceOf({ slug: 'a' }),
    workspaceOf(),
    workspaceOf({ slug: 'a' }),
  ]),
  RATE_LIMITED: asking(answer(429, '')),
  SERVICE_FAILED: asking(answer(500, '')),
  STATUS_UNEXPECTED: asking(answer(418, '')),
  REDIRECTED: asking(answer(302, '', { location: 'https://other.example/' })),
  ANSWER_NOT_JSON: asking(answer(200, '<html>', { 'content-type': 'text/html' })),
  ANSWER_EMPTY: asking(answer(200, '')),
  ANSWER_INCOMPLETE: asking(
    raw(`${head(200, { 'content-type': 'application/json', 'content-length': '99' })}{`),
  ),
  ANSWER_NOT_UTF8: asking(answer(200, Buffer.from([0x22, 0xff, 0x22]))),
  ANSWER_TOO_LARGE: asking(answer(200, '', { 'content-length': '999999999' })),
  ANSWER_INVALID: asking(json({ ...served, temperature: null }), { slug: served.slug }),
  ANSWER_PAGINATED: asking(json({ ...listed, next: '/api/v1/prompts?page=2' })),

  SLUG_DUPLICATE: asking(json({ ...listed, prompts: [summary, summary] })),
  SLUG_UNSAFE: pulling([workspaceOf({ slug: '..' })]),
  SLUG_UNKNOWN: async () => {
    const { url } = await startScriptedService(workspaceOf({ slug: 'a' }))
    const processEnv = { ...ENV, PROMPTS_BASE_URL: url }
    const { project } = await openTestProject({ lock: LOCK, processEnv })
    return pull(project, { slugs: ['nobody'] })
  },
  PROMPT_UNKNOWN: building(IMPORT.replace('prompts.a', 'prompts.b'), [{ client: 'allow' }]),
  TEXT_UNPAIRED_SURROGATE: pulling([workspaceOf({ slug: 'a', system: '\ud83d' })]),
  TEXT_HOLDS_KEY: pulling([workspaceOf({ slug: 'a', system: KEY })]),
  TOO_MANY_TOKENS: pulling([workspaceOf({ slug: 'a', system: '{{ a }}'.repeat(20_001) })]),
  PULL_UNSETTLED: pulling([
    workspaceOf({ slug: 'a' }),
    ...Array.from({ length: 9 }, (_, index) => workspaceOf({ slug: 'a', version: `${index}` })),
  ]),
  PULL_UNRELATED: pulling([workspaceOf({ slug: 'd' })], {
    lock: liveLock({ slug: 'a' }, { slug: 'b' }, { slug: 'c' }),
  }),
  PULL_EMPTY: pulling([workspaceOf()], { lock: LOCK }),

  LOCK_MISSING: inProject({}, ({ project }) => project.readLock()),
  ENVIRONMENT_MISSING: pullWith({ PROMPTS_API_KEY: 'svc_test_a' }),
  LIVE_UNREAD: building(IMPORT, [{ client: 'allow' }], lockOf({ staging: [{ slug: 'a' }] })),
  LOCK_CONFLICTED: withLock(`<<<<<<< HEAD\n${TEXT}`),
  LOCK_DUPLICATE: withLock(TWO.replace(ENTRY, '$&$&')),
  LOCK_UNSORTED: inProject({ files: { 'prompts.lock.json': UNSORTED } }, ({ project }) =>
    project.openLock({ production: true }),
  ),
  LOCK_SYNTAX: withLock('{'),
  LOCK_TOO_NEW: withLock(TEXT.replace(/"lockVersion": \d+/, '"lockVersion": 99')),
  LOCK_INVALID: withLock('{}'),
  LOCK_EDITED: withLock(TEXT.replace('kind', 'mean')),
  PART_LOST: async () => {
    const { url } = await startScriptedService(workspaceOf({ slug: 'a', staging: {} }))
    const text = TEXT.replace('kind', 'mean')
    const processEnv = { PROMPTS_TEST_API_KEY: 'svc_test_local', PROMPTS_BASE_URL: url }
    const files = { 'prompts.lock.json': text }
    const { project } = await openTestProject({ files, processEnv })
    await project.prepare({ repairs: true })
  },
  LOCK_UNFIT: inProject({ lock: LOCK, options: { exclude: 'a' } }, ({ project }) =>
    project.readLock(),
  ),
  FILE_CHANGED: async () => {
    const { url } = await startScriptedService(workspaceOf({ slug: 'a' }))
    const { project } = await openTestProject({ processEnv: { ...ENV, PROMPTS_BASE_URL: url } })
    const pulls = await Promise.all([project.prepare(), project.prepare()])
    for (const { plan } of pulls) await project.commit(plan)
  },
  LOCK_BUSY: inProject(
    { files: { '.prompts.lock.json.pulling/1-0': '' } },
    async ({ project: { lock } }) =>
      withFileLock({ path: lock.path, waitTimeout: 50 }, async () => undefined),
  ),
  FILE_UNREADABLE: async () => readText(await temporaryFolder()),
  FILE_NOT_UTF8: async () => {
    const text = Buffer.from('\ufeffPROMPTS_API_KEY=svc_live_x', 'utf16le')
    return readText(join(await folderWith({ '.env.local': text }), '.env.local'))
  },
  FILE_UNWRITABLE: pullWith({}, { options: { lock: 'missing/prompts.lock.json' } }),
  FILE_FOREIGN: pullWith({}, { files: { 'prompts.d.ts': 'export {}' } }),

  BUNDLER_UNSUPPORTED: async () => {
    const resolve = { alias: [] }
    return contextOf({ root: await temporaryFolder(), resolve } as unknown as ResolvedConfig)
  },
  MODULE_REFUSED: withPoisonedStringify,
  MODULE_UNKNOWN: building(`import 'virtual:prompts/nothing'`, [{}]),
  MODULE_EXTERNAL: async () => refuseExternal(idsOf('prompts'), ['virtual:prompts']),
  NAME_TAKEN: building(IMPORT, [{}, {}]),
  TEST_IN_PRODUCTION: building(
    IMPORT,
    [{ environment: 'test', production: 'error', client: 'allow' }],
    lockOf({ live: [{ slug: 'a' }], staging: [{ slug: 'a', version: 'v2' }] }),
  ),
  PROMPTS_IN_CLIENT: building(IMPORT, [{ client: 'error' }]),

  TSCONFIG_INVALID: checkingApp({ 'tsconfig.json': '{ "extends": "./nothing.json" }' }),
  TYPES_NOT_FOUND: checkingApp({ 'tsconfig.json': BARE_TSCONFIG, 'src/main.ts': IMPORT }),

  WORKSPACE_INVALID: async () => parseWorkspace('prompts: 1', 'prompts.yaml'),
  PORT_UNAVAILABLE: async () => {
    const { port } = await startFaultServer(stall)
    return startServer({ readWorkspace: async () => workspaceOf(), port })
  },

  OUTPUT_UNWRITABLE: () =>
    new Promise((resolve) => {
      const full = new PassThrough()
      watchOutput({ 'Standard output': full }, resolve)
      full.destroy(Object.assign(new Error('write'), { code: 'ENOSPC' }))
    }),
  EDITOR_FAILED: async () =>
    printed(['edit', 'a'], await folderWith({ 'prompts.lock.json': TEXT })),
  REVISION_UNREADABLE: async () =>
    readAtRevision(join(await temporaryFolder(), 'prompts.lock.json'), 'main'),
  PACKAGE_MISSING: async () => {
    const folder = await folderWith({ 'importer.mjs': "import 'no-such-package'\n" })
    return loaded(importNatively(pathToFileURL(join(folder, 'importer.mjs')).href))
  },
  USAGE: async () => printed(['pull', '--nothing'], await temporaryFolder()),
  // Options that answer every look at them with an error are nothing that anybody foresees.
  UNEXPECTED: async () => {
    const config = `export default { get lock() { throw new RangeError('a getter') } }`
    return printed(['list'], await folderWith({ 'prompts.config.mjs': config }))
  },
}

/** Errors that another error causes, which must then be their `cause`. */
const CAUSED: ReadonlySet<string> = new Set(
  `CONFIG_UNREADABLE SERVICE_UNREACHABLE CERTIFICATE_INVALID ANSWER_INCOMPLETE
  LOCK_CONFLICTED LOCK_SYNTAX FILE_UNREADABLE FILE_UNWRITABLE
  MODULE_REFUSED PORT_UNAVAILABLE OUTPUT_UNWRITABLE REVISION_UNREADABLE PACKAGE_MISSING
  UNEXPECTED`.split(/\s+/),
)

describe('every error of the catalogue', () => {
  test.each(Object.entries(CASES))('%s comes about, with its cause', async (code, work) => {
    const raised = (await work().catch((error: unknown) => error)) as Raised
    expect(raised).toMatchObject({ code })
    expect(isPromptsError(raised) || ['USAGE', 'UNEXPECTED', 'EDITOR_FAILED'].includes(code)).toBe(
      true,
    )
    expect(`${raised.why} ${raised.fix}`).not.toMatch(/\b(?:undefined|NaN)\b|\[object/)
    if (CAUSED.has(code)) expect(raised.cause).toBeInstanceOf(Error)
    else expect(raised.cause).toBeUndefined()
  })

  test('no error of the catalogue is left out', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(Object.keys(catalogue).toSorted())
  })
})
