import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check, type CheckReport } from '../../../../src/features/check/check.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import type { Options } from '../../../../src/config/options.ts'
import { openProject } from '../../../../src/features/project/project.ts'
import { loadLock } from '../../../../src/features/start/start.ts'
import { checkOutDir, writeDeclarations, writeOutDir } from '../../../helpers/generated.ts'
import { filesIn, folderWith } from '../../../helpers/cli.ts'
import { testService } from '../../../helpers/local-service.ts'
import { liveLock, testLock } from '../../../helpers/pinned.ts'
import { openTestProject, type TestProject } from '../../../helpers/project.ts'
import { rejection } from '../../../helpers/service-client.ts'
import { pull } from '../../../helpers/pull.ts'

const LIVE = liveLock(
  { slug: 'gone' },
  { slug: 'greeting', system: 'Hello {{ name }}' },
  { slug: 'triage', system: '{{ ticket }}' },
)

/** Prompts with another contract than {@link LIVE}. */
const STAGING = testLock(
  { slug: 'greeting', system: 'Hello {{ first_name }}' },
  { slug: 'new' },
  { slug: 'triage', system: '{{ ticket }} {{ tone }}' },
)

interface Given {
  readonly live?: Lock | undefined
  readonly staging?: Lock | undefined
  readonly options?: Options
}

/** A project of the test environment with these locks. */
async function testProject({ live, staging, options }: Given): Promise<TestProject> {
  const files = {
    ...(live && { 'prompts.lock.json': printLock(live, sha256) }),
    ...(staging && { 'prompts.test.lock.json': printLock(staging, sha256) }),
  }
  return openTestProject({ files, options: { environment: 'test', ...options } })
}

function declarations({ root }: TestProject): Promise<string> {
  return readFile(join(root, 'prompts.d.ts'), 'utf8')
}

/** The declarations of a lock, and of a test lock beside it, as they are written. */
async function printed(lock: Lock, staging?: Lock): Promise<string> {
  const { root } = await openTestProject({})
  const dts = join(root, 'prompts.d.ts')
  await writeDeclarations(lock, { root, dts, staging: staging && { lock: staging, path: '' } })
  return readFile(dts, 'utf8')
}

describe('declarations in the test environment', () => {
  test('follow the live lock while there is one, and declare the test lock beside it', async () => {
    const opened = await testProject({ live: LIVE, staging: STAGING })
    expect(await opened.project.writeDeclarations(STAGING)).toEqual([
      join(opened.root, 'prompts.d.ts'),
    ])
    expect(await declarations(opened)).toBe(await printed(LIVE, STAGING))
    expect(await opened.project.writeDeclarations(STAGING)).toEqual([])
  })

  test('are of the test lock if there is no live one', async () => {
    const opened = await testProject({ staging: STAGING })
    await opened.project.writeDeclarations(STAGING)
    expect(await declarations(opened)).toBe(await printed(STAGING))
    expect(opened.warnings).toEqual([])
  })

  test('that were generated for it continue to follow it, until a live build', async () => {
    const opened = await testProject({ live: LIVE, staging: STAGING })
    await writeFile(join(opened.root, 'prompts.d.ts'), await printed(STAGING))
    const next = testLock({ slug: 'new', version: 'v23' })
    await opened.project.writeDeclarations(next)
    expect(await declarations(opened)).toBe(await printed(next))
    expect(opened.warnings).toEqual([])
    const { root } = opened
    const live = { root, mode: 'production', options: {}, processEnv: {}, warn: () => undefined }
    await (await openProject(live)).writeDeclarations(LIVE)
    await opened.project.writeDeclarations(next)
    expect(await declarations(opened)).toBe(await printed(LIVE, STAGING))
  })

  test.each(['prompts.lock.json', 'prompts.test.lock.json'])(
    'stay unchanged while %s cannot be read',
    async (lock) => {
      const opened = await testProject({ live: LIVE, staging: STAGING })
      await writeFile(join(opened.root, lock), '<<<<<<< ours\n')
      expect(await opened.project.writeDeclarations(STAGING)).toEqual([])
      expect(Object.keys(await filesIn(opened.root))).not.toContain('prompts.d.ts')
    },
  )

  test('keep the types of the live lock in a pull with the test key', async () => {
    const service = await testService([
      { slug: 'triage', version: 'v22', staging: { version: 'v23', system: '{{ tone }}' } },
    ])
    const opened = await openTestProject({ lock: LIVE, processEnv: service.test })
    const { lock } = await pull(opened.project)
    expect(await declarations(opened)).toBe(await printed(LIVE, lock))
    expect(opened.warnings).toEqual([])
  })
})

describe('a lock with another contract than the declarations', () => {
  test('is reported with the prompts and variables that differ', async () => {
    const opened = await testProject({ live: LIVE, staging: STAGING })
    await opened.project.writeDeclarations(STAGING)
    expect(opened.warnings).toMatchInlineSnapshot(`
      [
        "prompts.d.ts matches prompts.lock.json, but prompts.test.lock.json is in use. It differs: gone removed; greeting name → first_name (renamed?); triage +tone. Run \`npx prompts generate --environment test\` to use its types.",
      ]
    `)
  })

  test.each([
    {
      title: 'a user text that the types ask the app for',
      staging: { user: 'Sort it.' },
      warning: 'triage roles system → system and user.',
    },
    {
      title: "a model that is not in the app's own table",
      staging: { model: 'gpt-6' },
      warning: 'triage model gpt-5 → gpt-6.',
    },
  ])('is reported with $title', async ({ staging, warning }) => {
    const triage = { slug: 'triage', system: 'Sort.' }
    const live = liveLock(triage)
    const other = testLock({ ...triage, ...staging })
    const opened = await testProject({ live, staging: other })
    await opened.project.writeDeclarations(other)
    expect(opened.warnings).toEqual([expect.stringContaining(`It differs: ${warning}`)])
  })

  test('is reported by a build or dev server when it starts, with any pull policy', async () => {
    for (const policy of ['missing', 'never', 'always'] as const) {
      const service = await testService(STAGING.prompts)
      const opened = await openTestProject({
        files: {
          'prompts.lock.json': printLock(LIVE, sha256),
          'prompts.test.lock.json': printLock(STAGING, sha256),
        },
        options: { pull: policy },
        processEnv: service.test,
      })
      await loadLock(opened.project, () => {})
      expect(opened.warnings).toEqual([expect.stringContaining('triage +tone')])
    }
  })

  test('is reported in a bounded line', async () => {
    const many = liveLock(...Array.from({ length: 50 }, (_, index) => ({ slug: `p${index}` })))
    const opened = await testProject({ live: many, staging: testLock() })
    await opened.project.writeDeclarations(testLock())
    expect(opened.warnings[0]).toContain('and 45 more')
  })

  test('is not reported if every call still works', async () => {
    const fewer = testLock(
      { slug: 'gone', version: 'v23' },
      { slug: 'greeting' },
      { slug: 'triage' },
    )
    const opened = await testProject({ live: LIVE, staging: fewer })
    await opened.project.writeDeclarations(fewer)
    expect(opened.warnings).toEqual([])
  })

  test('is not reported without declarations', async () => {
    const opened = await testProject({ live: LIVE, staging: STAGING, options: { dts: false } })
    expect(await opened.project.writeDeclarations(STAGING)).toEqual([])
    expect(opened.warnings).toEqual([])
  })
})

describe('outDir', () => {
  const OPTIONS: Options = { outDir: 'src/prompts' }

  test('is updated by a pull, also one that changes nothing in the lock', async () => {
    const service = await testService([{ slug: 'triage', version: 'v22' }])
    const { root, project } = await openTestProject({ options: OPTIONS, processEnv: service.live })
    await pull(project)
    const code = join(root, 'src/prompts/definitions.js')
    expect(await readFile(code, 'utf8')).toContain('"v22"')
    service.serve({ slug: 'triage', version: 'v23' })
    await pull(project)
    expect(await readFile(code, 'utf8')).toContain('"v23"')
    await rm(dirname(code), { recursive: true })
    await pull(project)
    expect(Object.keys(await filesIn(join(root, 'src/prompts')))).toEqual([
      'all.d.ts',
      'all.js',
      'definitions.js',
      'index.d.ts',
      'index.js',
      'package.json',
      'runtime.js',
    ])
  })

  test('is checked: files that are missing, edited or older than the lock are drift', async () => {
    const { root, project } = await openTestProject({ options: OPTIONS, lock: LIVE })
    await project.writeDeclarations(LIVE)
    const offline = (): Promise<CheckReport> => check(project, { isOffline: true })
    const { findings } = await offline()
    expect(findings.map(({ kind, severity }) => [kind, severity])).toEqual(
      Array.from({ length: 7 }, () => ['files-missing', 'drift']),
    )
    await project.writeGenerated(LIVE)
    expect(await offline()).toMatchObject({ findings: [] })
    const folder = join(root, 'src/prompts')
    await writeOutDir(liveLock({ slug: 'older' }), { root, folder })
    const stale = await offline()
    expect(stale.findings.map(({ kind, file }) => [kind, file])).toEqual([
      ['files-stale', join(folder, 'all.js')],
      ['files-stale', join(folder, 'definitions.js')],
      ['files-stale', join(folder, 'index.d.ts')],
      ['files-stale', join(folder, 'all.d.ts')],
    ])
    expect(stale.findings[0]?.fix).toBe('Run `npx prompts generate`.')
  })

  test('loses the files of a test lock that is gone, which are drift until then', async () => {
    const options = { ...OPTIONS, environment: 'live' } as const
    const { root, project } = await testProject({ live: LIVE, staging: STAGING, options })
    await project.writeGenerated(LIVE)
    const staging = join(root, 'src/prompts/staging')
    const all = await filesIn(staging)
    expect(Object.keys(all)).toEqual(['all.js', 'definitions.js', 'index.d.ts', 'index.js'])
    await rm(join(root, 'prompts.test.lock.json'))
    const { findings } = await check(project, { isOffline: true })
    expect(findings.filter(({ kind }) => kind === 'files-stale').map(({ file }) => file)).toEqual(
      ['index.js', 'all.js', 'definitions.js', 'index.d.ts'].map((name) => join(staging, name)),
    )
    const changed = await project.writeGenerated(LIVE)
    expect(changed).toContain(join(root, 'src/prompts'))
    expect(existsSync(staging)).toBe(false)
    expect((await check(project, { isOffline: true })).findings).toEqual([])
  })

  test('keeps files in the folder staging that this package did not write', async () => {
    const folder = await folderWith({ 'staging/all.js': 'mine\n', 'staging/index.js': '' })
    const target = { root: folder, folder }
    await writeOutDir(LIVE, target)
    expect(await filesIn(join(folder, 'staging'))).toEqual({ 'all.js': 'mine\n', 'index.js': '' })
    expect((await checkOutDir(LIVE, target)).every(({ state }) => state === 'current')).toBe(true)
  })

  test('is not checked if there is none', async () => {
    const { project } = await openTestProject({ lock: LIVE })
    const { steps } = await check(project, { isOffline: true })
    expect(steps.map(({ name }) => name)).not.toContain('files')
  })

  test('follows the live lock, unless it was generated for the test environment', async () => {
    const opened = await testProject({ live: LIVE, staging: STAGING, options: OPTIONS })
    const { root, project } = opened
    const code = join(root, 'src/prompts/definitions.js')
    await project.writeGenerated(STAGING)
    expect(await readFile(code, 'utf8')).not.toContain('first_name')
    await writeOutDir(STAGING, { root, folder: dirname(code) })
    await project.writeGenerated(STAGING)
    expect(await readFile(code, 'utf8')).toContain('first_name')
  })
})

describe('a pull', () => {
  test.each([
    'prompts.d.ts',
    'prompts.d.ts.map',
    'out/index.js',
    'out/all.js',
    'out/definitions.js',
    'out/runtime.js',
    'out/index.d.ts',
    'out/all.d.ts',
  ])('refuses a foreign %s before it reads anything, and writes nothing', async (path) => {
    const service = await testService([{ slug: 'triage', version: 'v22' }])
    const { root, project } = await openTestProject({
      files: { [path]: 'mine\n' },
      options: { outDir: 'out' },
      processEnv: service.live,
    })
    const error = await rejection(pull(project))
    expect(error).toMatchObject({ code: 'FILE_FOREIGN', details: { path: join(root, path) } })
    expect(service.asked()).toEqual([])
    expect(await filesIn(root)).toEqual({ [path]: 'mine\n' })
  })

  test('restores declarations that were edited, although the lock is up to date', async () => {
    const service = await testService([{ slug: 'triage', version: 'v22' }])
    const { root, project } = await openTestProject({ processEnv: service.live })
    await pull(project)
    const path = join(root, 'prompts.d.ts')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('"triage":', '"renamed":'))
    expect((await pull(project)).outcome).toBe('unchanged')
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('leaves a package.json in outDir alone', async () => {
    const service = await testService([{ slug: 'triage', version: 'v22' }])
    const { root, project } = await openTestProject({
      options: { outDir: 'out' },
      processEnv: service.live,
    })
    await mkdir(join(root, 'out'))
    await writeFile(join(root, 'out/package.json'), '{}\n')
    await pull(project)
    expect(await readFile(join(root, 'out/package.json'), 'utf8')).toBe('{}\n')
  })
})
