import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check, type Finding, findingsOf } from '../../../src/features/check/check.ts'
import { viewOf } from '../../../src/core/prompt.ts'
import type { Options } from '../../../src/config/options.ts'
import { checkOutDir, writeOutDir } from '../../helpers/generated.ts'
import { filesIn, folderWith } from '../../helpers/cli.ts'
import { testService } from '../../helpers/local-service.ts'
import { liveLock, lockOf, lockText } from '../../helpers/pinned.ts'
import { openTestProject } from '../../helpers/project.ts'
import { rejection } from '../../helpers/service-client.ts'
import { pull } from '../../helpers/pull.ts'

const LOCK = lockOf({
  live: [
    { slug: 'greeting', system: 'Hello {{ name }}' },
    { slug: 'triage', system: '{{ ticket }}' },
  ],
  staging: [{ slug: 'greeting', system: 'Hello {{ first_name }}' }, { slug: 'only-staging' }],
})

const LIVE = { parts: viewOf(LOCK, 'live').prompts }

test.each([
  [{}, {}, false],
  [{ environment: 'test' }, { PROMPTS_ENVIRONMENT: 'live' }, true],
  [{}, { PROMPTS_ENVIRONMENT: 'test' }, false],
] as const)(
  'what is generated with the options %j and the variables %j has the test view: %j',
  async (options, processEnv, isTest) => {
    const opened = await openTestProject({ options: { ...options, outDir: 'out' }, processEnv })
    const { root, project } = opened
    const paths = [join(root, 'prompts.d.ts'), join(root, 'out')]
    expect(await project.writeGenerated(LOCK)).toEqual(paths)
    expect(await project.writeDeclarations(LOCK)).toEqual([])
    const files = await filesIn(root)
    const declarations = files['prompts.d.ts'] ?? ''
    const [view = ''] = declarations.split('declare module "virtual:prompts/staging"')
    expect(declarations).toContain('first_name')
    expect(view.includes('onlyStaging')).toBe(isTest)
    expect(files['out/definitions.js']?.includes('first_name')).toBe(isTest)
  },
)

describe('outDir', () => {
  const OPTIONS: Options = { outDir: 'src/prompts' }
  const FILES = [
    'all.d.ts',
    'all.js',
    'definitions.js',
    'index.d.ts',
    'index.js',
    'package.json',
    'runtime.js',
  ]
  /** Of staging, while nothing is staged. */
  const SAME = ['staging/index.d.ts', 'staging/index.js']

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
    expect(Object.keys(await filesIn(join(root, 'src/prompts')))).toEqual([...FILES, ...SAME])
  })

  test('is checked: files that are missing, edited or older than the lock are warnings', async () => {
    const { root, project } = await openTestProject({ options: OPTIONS, lock: LIVE })
    await project.writeDeclarations(LIVE)
    const offline = async (): Promise<Finding[]> =>
      findingsOf((await check(project, { isOffline: true })).steps)
    expect((await offline()).map(({ kind, severity }) => [kind, severity])).toEqual(
      [...FILES, ...SAME].map(() => ['files-missing', 'warning']),
    )
    await project.writeGenerated(LIVE)
    expect(await offline()).toEqual([])
    const folder = join(root, 'src/prompts')
    await writeOutDir(liveLock({ slug: 'older' }), { root, folder })
    const stale = await offline()
    expect(stale.map(({ kind, file }) => [kind, file])).toEqual([
      ['files-stale', join(folder, 'all.js')],
      ['files-stale', join(folder, 'definitions.js')],
      ['files-stale', join(folder, 'index.d.ts')],
      ['files-stale', join(folder, 'all.d.ts')],
    ])
    expect(stale[0]?.fix).toBe('Run `npx prompts generate`.')
  })

  test('has a re-export in its folder staging while nothing is staged', async () => {
    const { root, project } = await openTestProject({ lock: LOCK, options: OPTIONS })
    const files = async (): Promise<string[]> =>
      Object.keys(await filesIn(join(root, 'src/prompts')))
    await project.writeGenerated(LOCK)
    const staged = ['all.js', 'definitions.js', 'index.d.ts', 'index.js']
    expect(await files()).toEqual([...FILES, ...staged.map((name) => `staging/${name}`)])
    await writeFile(join(root, 'prompts.lock.json'), lockText(LIVE))
    const { steps } = await check(project, { isOffline: true })
    const stale = findingsOf(steps)
      .filter(({ kind }) => kind === 'files-stale')
      .map(({ file }) => file)
    expect(stale).toContain(join(root, 'src/prompts/staging/definitions.js'))
    expect(await project.writeGenerated(LIVE)).toContain(join(root, 'src/prompts'))
    expect(await files()).toEqual([...FILES, ...SAME])
    const current = await check(project, { isOffline: true })
    expect(findingsOf(current.steps)).toEqual([])
  })

  test('keeps files that this package did not write', async () => {
    const mine = { 'staging/all.js': 'mine\n', 'package.json': '{}\n' }
    const folder = await folderWith(mine)
    const target = { root: folder, folder }
    await writeOutDir(LIVE, target)
    expect(await filesIn(folder)).toMatchObject(mine)
    expect((await checkOutDir(LIVE, target)).every(({ state }) => state === 'current')).toBe(true)
  })

  test('is not checked if there is none', async () => {
    const { project } = await openTestProject({ lock: LIVE })
    const { steps } = await check(project, { isOffline: true })
    expect(steps.map(({ name }) => name)).not.toContain('files')
  })
})

test.each(['prompts.d.ts', 'prompts.d.ts.map', 'out/index.js', 'out/staging/index.js'])(
  'a pull refuses a foreign %s before it reads anything, and writes nothing',
  async (path) => {
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
  },
)
