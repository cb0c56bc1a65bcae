import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Options } from '../../../../src/config/options.ts'
import { LOCAL_KEYS } from '../../../../src/local-service/respond.ts'
import type { PromptsError } from '../../../../src/errors/prompts-error.ts'
import { check, findingsOf } from '../../../../src/features/check/check.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { commit as commitPlan } from '../../../../src/plan/commit.ts'
import { holdParts } from '../../../../src/plan/hold.ts'
import { hashSettings } from '../../../../src/features/project/project.ts'
import type { LockStore } from '../../../../src/fs/lock-store.ts'
import { filesIn, folderWith } from '../../../helpers/cli.ts'
import { liveLock, lockOf } from '../../../helpers/pinned.ts'
import { openTestProject } from '../../../helpers/project.ts'
import { workspaceOf } from '../../../helpers/local-service.ts'
import { startScriptedService } from '../../../helpers/scripted-service.ts'
import { rejection } from '../../../helpers/service-client.ts'
import { startLocalServer } from '../../../helpers/local-server.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { pull } from '../../../helpers/pull.ts'

/** The variables that reach a service that has these prompts. */
async function serviceEnv(...slugs: readonly string[]) {
  const { url, asked } = await startScriptedService(workspaceOf(...slugs.map((slug) => ({ slug }))))
  return { asked, url, env: { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live } }
}

test('a project takes its options from its file, its environment and its caller', async () => {
  const { root: envDir } = await openTestProject({
    files: {
      '.env': 'PROMPTS_API_KEY=svc_test_$low\nPROMPTS_BASE_URL=https://x.example',
      '.env.staging': 'PROMPTS_API_KEY=svc_test_$high',
      '.env.production': 'PROMPTS_BASE_URL=https://no',
    },
  })
  const config = "export default { pull: 'never', lock: 'locks/a.json', timeout: 7 }"
  const { project, root } = await openTestProject({
    files: { 'prompts.config.ts': config },
    options: { timeout: 8 },
    mode: 'staging',
    envDir,
  })
  expect(project.options).toMatchObject({
    root,
    pull: 'never',
    lock: join(root, 'locks/a.json'),
    timeout: 8,
    baseUrl: 'https://x.example',
    keys: [
      {
        value: 'svc_test_$high',
        source: expect.stringMatching(/^PROMPTS_API_KEY in .*\.env\.staging$/),
      },
    ],
  })
})

test('a debug line names the variable of a key, and shows neither the key nor an address', async () => {
  vi.stubEnv('DEBUG', 'unplugin-prompts:*')
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => (vi.unstubAllEnvs(), print.mockRestore()))
  const key = 'svc_live_Canary0123456789'
  for (const address of [
    'https://canary:canary@prompts.example/?canary=1',
    `https://${key}.example`,
    '"https://canary@a"',
  ])
    await openTestProject({ processEnv: { PROMPTS_BASE_URL: address, PROMPTS_API_KEY: key } })
  const lines = print.mock.calls.map(([line]) => String(line))
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('key: PROMPTS_API_KEY')
  expect(lines.join().toLowerCase()).not.toContain('canary')
})

test('a secret that is too short to be searched for is named by who reads with it, once', async () => {
  const config = `const service = { name: 'Own', secrets: ['OWN_KEY'], list: () => [], get: () => null }
    export default { service }`
  const { project, warnings } = await openTestProject({
    files: { 'prompts.config.mjs': config },
    processEnv: { OWN_KEY: 'text' },
  })
  expect(project.options.secrets).toEqual([])
  expect(warnings).toEqual([])
  await project.withService((service) => service.list())
  await project.withService((service) => service.list())
  expect(warnings).toEqual([expect.stringContaining('OWN_KEY in the environment')])
})

describe('a pull of a project', () => {
  test('without key and address names both at once', async () => {
    const { project } = await openTestProject({ processEnv: {} })
    expect(await rejection(pull(project))).toMatchObject({
      code: 'KEY_MISSING',
      details: { variable: expect.stringMatching(/^PROMPTS_API_KEY\b.*\bPROMPTS_BASE_URL$/) },
    })
  })

  test.each<[title: string, lock: string, error: object]>([
    ['a folder stands in its place', 'prompts.lock.json', {}],
    [
      'its folder is a link out of the project',
      'out/prompts.lock.json',
      { details: { reason: 'its folder is a link out of the project' } },
    ],
  ])('reads and writes nothing if the lock cannot be written: %s', async (_, lock, error) => {
    const { env, asked } = await serviceEnv('a')
    const files = { 'prompts.lock.json/file': '' }
    const { project, root } = await openTestProject({ processEnv: env, files, options: { lock } })
    const outside = await temporaryFolder()
    await symlink(outside, join(root, 'out'))
    expect(await rejection(pull(project))).toMatchObject({ code: 'FILE_UNWRITABLE', ...error })
    expect([await readdir(root), await readdir(outside)]).toEqual([
      ['out', 'prompts.lock.json'],
      [],
    ])
    expect(asked).toEqual([])
  })
})

const LOCK = liveLock(
  { slug: 'a', folder: 'x' },
  { slug: 'b', folder: 'y' },
  { slug: 'c', folder: 'y' },
)

test.each<[options: Options, names: readonly string[]]>([
  [{ exclude: 'z/*' }, []],
  [{ include: 'x/*' }, ['b', 'c']],
  [{ exclude: ['a', 'y/c'] }, ['a', 'c']],
])(
  'the lock of a project with %j is rejected with what is excluded: %j',
  async (options, names) => {
    const { project } = await openTestProject({ lock: LOCK, options })
    if (names.length === 0) return expect(await project.readLock()).toEqual(LOCK)
    const differences = names.map((name) => expect.stringMatching(new RegExp(`\\b${name}\\b`)))
    const error = { code: 'LOCK_UNFIT', details: { differences } }
    return expect(await rejection(project.readLock())).toMatchObject(error)
  },
)

test('a prompt whose staging version is in another folder is served by the options that its pull selects it with', async () => {
  const live = [{ slug: 'a', folder: 'x' }]
  const lock = lockOf({ live, staging: [{ slug: 'a', folder: 'y', version: 'v23' }] })
  for (const include of ['x/*', 'y/*']) {
    const { project } = await openTestProject({ lock, options: { include } })
    expect(await project.readLock()).toEqual(lock)
  }
  const { project } = await openTestProject({ lock, options: { include: 'z/*' } })
  const details = { differences: [expect.anything(), expect.stringContaining('a (staging)')] }
  expect(await rejection(project.readLock())).toMatchObject({ code: 'LOCK_UNFIT', details })
})

test('with `staging: false`, the lock of a project is rejected with the staging parts that nobody holds', async () => {
  const [live, held] = [[{ slug: 'a' }, { slug: 'b' }], { reason: 'Legal' }]
  const staging = [
    { slug: 'a', version: 'v23' },
    { slug: 'b', version: 'v23', held },
  ]
  const options = { staging: false }
  const { project } = await openTestProject({ lock: lockOf({ live, staging }), options })
  const details = { differences: [expect.stringContaining('a (staging)')] }
  expect(await rejection(project.readLock())).toMatchObject({ code: 'LOCK_UNFIT', details })
})

test('an error of the service shows no key, also where its labels repeat it', async () => {
  const PROMPTS_BASE_URL = await startLocalServer(({ headers }, response) => {
    const labels = { liveVersion: headers.authorization, stagingVersion: null }
    const prompts = [{ slug: 'a', folder: '', model: 'm', ...labels }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ prompts, planStatus: 'active' }))
  })
  const keys = { PROMPTS_API_KEY: LOCAL_KEYS.live, PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const { project } = await openTestProject({ processEnv: { PROMPTS_BASE_URL, ...keys } })
  const error = await rejection(project.prepare())
  expect(error).toMatchObject({ code: 'KEYS_OF_TWO_WORKSPACES' })
  for (const key of Object.values(keys))
    expect(JSON.stringify([error.message, error.details, error.stack])).not.toContain(key)
})

describe('the other apps of a project', () => {
  const apps = { apps: ['apps/**', './tools/{one,two}/'] }
  const files = {
    'package.json': '{}',
    'apps/web/package.json': '{}',
    'apps/web/prompts.config.json': '{ "lock": "../../prompts.lock.json", "dts": "src/p.d.ts" }',
    'apps/web/node_modules/x/package.json': '{}',
    'apps/group/site/package.json': '{}',
    'apps/group/notes.md': '',
    'tools/one/package.json': '{}',
    'tools/three/package.json': '{}',
  }

  test('are the packages that a glob matches, none of them installed ones', async () => {
    const { root, project } = await openTestProject({ options: apps, files })
    const folders = (await project.apps()).map((app) => relative(root, app.root))
    expect(folders).toEqual(['', 'apps/group/site', 'apps/web', 'tools/one'])
  })

  test.each(['apps/we(b)', 'apps/we(b)*'])(
    'are those of a name with parentheses: %s',
    async (glob) => {
      const own = { 'apps/web/package.json': '{}', 'apps/we(b)/package.json': '{}' }
      const { root, project } = await openTestProject({ options: { apps: glob }, files: own })
      const folders = (await project.apps()).slice(1).map((app) => relative(root, app.root))
      expect(folders).toEqual(['apps/we(b)'])
    },
  )

  test('pin staging parts if all do, or each pull would undo that of another', async () => {
    const config = '{ "lock": "../../prompts.lock.json", "staging": false }'
    const others = { ...files, 'apps/web/prompts.config.json': config }
    const { project } = await openTestProject({ options: apps, files: others })
    const details = { differences: ['staging'] }
    expect(await rejection(project.apps())).toMatchObject({ code: 'APP_UNFIT', details })
  })

  test('are located by data that a thread can take; one without declarations has those of the first', async () => {
    const { root, project } = await openTestProject({ options: apps, files })
    const { others = [] } = structuredClone(await project.locate())
    const declarations = others.map(({ dts }) => relative(root, String(dts)))
    expect(declarations).toEqual(['prompts.d.ts', 'apps/web/src/p.d.ts', 'prompts.d.ts'])
  })
})

describe('what a commit writes', () => {
  const FILES = {
    'apps/web/package.json': '{}',
    'apps/web/prompts.config.json': '{ "lock": "../../prompts.lock.json" }',
    // Edits keep a byte order mark and line ends.
    'src/main.ts': '\ufeffold\r\n',
  }

  const NEW = '\ufeffnew\r\n'

  /** A plan with a new prompt and an edit of the app, and its commit. */
  async function drafted() {
    const { env } = await serviceEnv('a', 'new-prompt')
    const opened = await openTestProject({
      options: { outDir: 'out', apps: 'apps/web' },
      files: FILES,
      processEnv: env,
      lock: liveLock({ slug: 'a' }),
    })
    const { root, project } = opened
    const path = join(root, 'src/main.ts')
    const edits = [{ path, before: FILES['src/main.ts'], after: NEW, places: [] }]
    const { plan } = await project.prepare()
    return { ...opened, commit: () => project.commit({ ...plan, edits }) }
  }

  test('is printed from the plan, also for the other apps, and the lock is written last', async () => {
    const { root, project, commit } = await drafted()
    const earlier: Record<string, string>[] = []
    const write = project.lock.write
    project.lock.write = async (lock) => {
      earlier.push(await filesIn(root))
      return write(lock)
    }
    const written = (await commit()).map((path) => relative(root, path))
    expect(written[0]).toBe('prompts.lock.json')
    expect(written).toEqual(expect.arrayContaining(['prompts.d.ts', 'out', 'src/main.ts']))
    const [files = {}] = earlier
    expect(files).toMatchObject({ 'src/main.ts': NEW, 'out/index.js': expect.any(String) })
    expect(files['prompts.d.ts']).toContain('newPrompt')
    expect(files['prompts.lock.json']).not.toContain('new-prompt')
  })

  test.each([
    ['prompts.d.ts', 'FILE_FOREIGN'],
    ['apps/web/prompts.d.ts', 'FILE_FOREIGN'],
    ['prompts.d.ts/folder', 'FILE_UNREADABLE'],
    ['src/main.ts', 'FILE_CHANGED'],
  ])('is nothing if a file cannot be written because of %s', async (path, code) => {
    const { root, commit } = await drafted()
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), 'export {}')
    const before = await filesIn(root)
    expect(await rejection(commit())).toMatchObject({ code })
    expect(await filesIn(root)).toEqual(before)
  })

  test('that fails in the middle names the files that it wrote, and the next one writes the rest', async () => {
    const { root, project, commit } = await drafted()
    const lock = await readFile(join(root, 'prompts.lock.json'), 'utf8')
    const outside = join(await folderWith({ 'prompts.d.ts': '' }), 'prompts.d.ts')
    await symlink(outside, join(root, 'apps/web/prompts.d.ts'))
    const error = await rejection(commit())
    expect(error).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { path: join(root, 'apps/web/prompts.d.ts') },
    })
    const { written = [] } = (error as PromptsError<'FILE_UNWRITABLE'>).details
    const names = written.map((path) => relative(root, path))
    expect(names).toEqual(expect.arrayContaining(['src/main.ts', 'prompts.d.ts', 'out/index.js']))
    expect(await readFile(join(root, 'src/main.ts'), 'utf8')).toBe(NEW)
    expect(await readFile(join(root, 'prompts.lock.json'), 'utf8')).toBe(lock)
    await rm(join(root, 'apps/web/prompts.d.ts'))
    await pull(project)
    const { steps } = await check(project, { isOffline: true })
    expect(findingsOf(steps)).toEqual([])
  })

  test('is refused if another process took over before the lock is replaced, and names what was written', async () => {
    const { env } = await serviceEnv('a')
    const { project, root } = await openTestProject({ lock: LOCK, processEnv: env })
    const { plan } = await project.prepare()
    const stopped: LockStore = {
      ...project.lock,
      async write(...request) {
        // Neither the lock nor the mark of this process is what it was.
        await rm(join(root, '.prompts.lock.json.pulling'), { recursive: true })
        await writeFile(project.lock.path, 'of the other')
        return project.lock.write(...request)
      },
    }
    const silent = { warn: () => undefined }
    expect(await rejection(commitPlan(await project.apps(), stopped, plan, silent))).toMatchObject({
      code: 'FILE_CHANGED',
      details: { written: expect.arrayContaining([join(root, 'prompts.d.ts')]) },
    })
    expect(await readdir(root)).not.toContainEqual(expect.stringMatching(/\.(?:tmp|pulling)$/))
    expect(await readFile(project.lock.path, 'utf8')).toBe('of the other')
  })

  test('is nothing without a lock before it if the declarations cannot be written', async () => {
    const { env } = await serviceEnv('a')
    const { project, root } = await openTestProject({ processEnv: env })
    const { plan } = await project.prepare()
    await writeFile(join(root, 'prompts.d.ts'), 'export {}')
    expect(await rejection(project.commit(plan))).toMatchObject({ code: 'FILE_FOREIGN' })
    expect(await filesIn(root)).toEqual({ 'prompts.d.ts': 'export {}' })
  })
})

test('a change of an env file with a comment in another encoding is a change of the settings', async () => {
  const root = await temporaryFolder()
  const hashOf = async (value: string): Promise<string> => {
    await writeFile(join(root, '.env'), Buffer.from(`# Schl\xfcssel\nKEY=${value}`, 'latin1'))
    const settings = { root, mode: 'production', options: {}, processEnv: {} }
    return hashSettings({ ...settings, warn: () => undefined })
  }
  expect(await hashOf('1')).not.toBe(await hashOf('2'))
})

test('an edit of the lock has no key in it', async () => {
  const key = 'svc_live_a'
  const { project } = await openTestProject({
    lock: LOCK,
    processEnv: { PROMPTS_TEST_API_KEY: key },
  })
  const shown = await project.show()
  const plan = project.edit(shown, liveLock({ system: `Use ${key}.` }))
  await expect(plan).rejects.toMatchObject({ code: 'TEXT_HOLDS_KEY' })
})

test.each([{ system: '' }, { user: '' }, { system: '', source: ' ' }])(
  'an edit of the lock has no text of more than 10 MB, counted in bytes: %j',
  async (fields) => {
    const { project } = await openTestProject({ lock: LOCK })
    const shown = await project.show()
    const [field = ''] = Object.keys(fields).slice(-1)
    const pin = (text: string) => project.edit(shown, liveLock({ ...fields, [field]: text }))
    await pin('x'.repeat(10 * 1024 * 1024))
    const error = { code: 'USAGE' }
    await expect(pin('é'.repeat(5 * 1024 * 1024 + 1))).rejects.toMatchObject(error)
  },
)

test('an edit ends a needless staging part of its prompt, and of no other', async () => {
  const parts = [{ slug: 'a' }, { slug: 'b' }]
  const { project } = await openTestProject({ lock: lockOf({ live: parts, staging: parts }) })
  const shown = await project.show()
  const edit = async (lock: Lock): Promise<Lock> => (await project.edit(shown, lock)).after
  expect(await edit(shown.after)).toBe(shown.after)
  const held = { slug: 'a', held: { reason: '' } }
  const lock = lockOf({ live: [held, { slug: 'b' }], staging: [{ slug: 'b' }] })
  expect(await edit(holdParts(shown.after, ['a'], 'live', undefined))).toEqual(lock)
})
