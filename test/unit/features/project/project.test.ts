import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../../../src/core/prompt.ts'
import type { Options } from '../../../../src/config/options.ts'
import { LOCAL_KEYS } from '../../../../src/local-service/respond.ts'
import { filesIn } from '../../../helpers/cli.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { openTestProject } from '../../../helpers/project.ts'
import { startScriptedService, workspaceOf } from '../../../helpers/scripted-service.ts'
import { rejection } from '../../../helpers/service-client.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { pull } from '../../../helpers/pull.ts'

/** The variables that reach a service that has these prompts. */
async function serviceEnv(...slugs: readonly string[]) {
  const { url, asked } = await startScriptedService(workspaceOf(...slugs.map((slug) => ({ slug }))))
  return { asked, url, env: { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live } }
}

describe('a project', () => {
  test('takes its options from its file, its environment and its caller', async () => {
    const { project, root } = await openTestProject({
      files: {
        'prompts.config.ts': "export default { pull: 'never', lock: 'locks/a.json', timeout: 7 }",
        '.env': 'PROMPTS_API_KEY=svc_test_$low\nPROMPTS_BASE_URL=https://x.example',
        '.env.production': 'PROMPTS_API_KEY=svc_test_$high',
      },
      options: { timeout: 8 },
    })
    expect(project.options).toMatchObject({
      root,
      pull: 'never',
      lock: join(root, 'locks/a.json'),
      timeout: 8,
      baseUrl: 'https://x.example',
      keys: [{ value: 'svc_test_$high', source: 'PROMPTS_API_KEY in .env.production' }],
    })
  })

  test('reads the environment of its mode from envDir', async () => {
    const { root: envDir } = await openTestProject({
      files: {
        '.env.staging': 'PROMPTS_BASE_URL=https://staging',
        '.env.production': 'PROMPTS_BASE_URL=https://no',
      },
    })
    const { project } = await openTestProject({ mode: 'staging', envDir })
    expect(project.options.baseUrl).toBe('https://staging')
  })
})

describe('a pull of a project', () => {
  test('writes lock and declarations, and a second one writes nothing', async () => {
    const { env } = await serviceEnv('a')
    const { project, root } = await openTestProject({ processEnv: env })
    expect(await pull(project)).toMatchObject({ outcome: 'written', reads: 1 })
    const names = await readdir(root)
    expect(names).toEqual(expect.arrayContaining(['prompts.d.ts', 'prompts.lock.json']))
    expect(names.filter((name) => name.startsWith('.'))).toEqual([])
    const files = names.map((name) => join(root, name))
    for (const file of files) {
      // Neither the key nor the address is in anything that is committed.
      const text = await readFile(file, 'utf8')
      for (const secret of Object.values(env)) expect(text).not.toContain(secret)
    }
    const before = await Promise.all(files.map((file) => stat(file)))
    expect(await pull(project)).toMatchObject({ outcome: 'unchanged' })
    const after = await Promise.all(files.map((file) => stat(file)))
    expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(
      before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
    )
  })

  test('without declarations writes only the lock', async () => {
    const { env } = await serviceEnv('a')
    const { project, root } = await openTestProject({ processEnv: env, options: { dts: false } })
    await pull(project)
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  })

  test('without both fails at once', async () => {
    const { project } = await openTestProject({ processEnv: {} })
    expect(await rejection(pull(project))).toMatchObject({
      code: 'KEY_MISSING',
      details: { variable: expect.stringMatching(/^PROMPTS_API_KEY\b.*\bPROMPTS_BASE_URL$/) },
    })
  })

  test('whose lock cannot be written makes no read and no declarations', async () => {
    const { env, asked } = await serviceEnv('a')
    const { project, root } = await openTestProject({
      processEnv: env,
      files: { 'prompts.lock.json/file': '' },
    })
    expect(await rejection(pull(project))).toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
    expect(asked).toEqual([])
  })

  test('whose lock is in a folder that is a link out of it touches nothing there', async () => {
    const { env, asked } = await serviceEnv('a')
    const { project, root } = await openTestProject({
      processEnv: env,
      options: { lock: 'locks/prompts.lock.json' },
    })
    const outside = await temporaryFolder()
    await symlink(outside, join(root, 'locks'))
    expect(await rejection(pull(project))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { reason: 'its folder is a link out of the project' },
    })
    expect(await readdir(outside)).toEqual([])
    expect(asked).toEqual([])
  })

  test('writes the declarations again if they were deleted', async () => {
    const { env } = await serviceEnv('a')
    const { project, root } = await openTestProject({
      processEnv: env,
      lock: liveLock({ slug: 'a' }),
    })
    expect(await pull(project)).toMatchObject({ outcome: 'unchanged' })
    expect(await readdir(root)).toContain('prompts.d.ts')
  })
})

const LOCK = liveLock(
  { slug: 'a', folder: 'x' },
  { slug: 'b', folder: 'y' },
  { slug: 'c', folder: 'y' },
)

describe('the lock of a project', () => {
  test('is read if it matches the options', async () => {
    const { project } = await openTestProject({ lock: LOCK, options: { exclude: 'z/*' } })
    expect(await project.readLock()).toEqual(LOCK)
  })

  const UNFIT: { title: string; options: Options; lock: Lock; names: string[] }[] = [
    { title: 'include', options: { include: 'x/*' }, lock: LOCK, names: ['b', 'c'] },
    { title: 'exclude', options: { exclude: ['a', 'y/c'] }, lock: LOCK, names: ['a', 'c'] },
  ]

  test.each(UNFIT)(
    'that does not match $title is rejected with the difference',
    async ({ options, lock, names }) => {
      const { project } = await openTestProject({ lock, options })
      const error = await rejection(project.readLock())
      const differences = names.map((name) => expect.stringMatching(new RegExp(`\\b${name}\\b`)))
      expect(error).toMatchObject({ code: 'LOCK_UNFIT', details: { differences } })
    },
  )
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

  test('are located by data that a thread can take; one without declarations has those of the first', async () => {
    const { root, project } = await openTestProject({ options: apps, files })
    const { others = [] } = structuredClone(await project.locate())
    const declarations = others.map(({ dts }) => relative(root, String(dts)))
    expect(declarations).toEqual(['prompts.d.ts', 'apps/web/src/p.d.ts', 'prompts.d.ts'])
  })

  test('are restored with the lock if the declarations of one cannot be written', async () => {
    const { env } = await serviceEnv('a', 'b')
    const options = { apps: 'apps/web' }
    const { root, project } = await openTestProject({
      options,
      files,
      processEnv: env,
      lock: liveLock({ slug: 'a' }),
    })
    const draft = await project.prepare()
    await mkdir(join(root, 'apps/web/src'))
    await writeFile(join(root, 'apps/web/src/p.d.ts'), '// mine')
    const before = await filesIn(root)
    expect(await rejection(project.commit(draft))).toMatchObject({ code: 'FILE_FOREIGN' })
    expect(await filesIn(root)).toEqual(before)
  })
})

test('a project makes no request before it is asked to', async () => {
  const { env, asked } = await serviceEnv('a')
  const { project } = await openTestProject({ processEnv: env, lock: liveLock({ slug: 'a' }) })
  await project.writeDeclarations(await project.readLock())
  expect(asked).toEqual([])
})

describe('a pull with edits of the app', () => {
  const files = { 'src/main.ts': 'old' }

  async function draftWithEdits() {
    const { env } = await serviceEnv('a')
    const { project, root } = await openTestProject({ files, processEnv: env })
    const before = await filesIn(root)
    const edits = [{ path: join(root, 'src/main.ts'), before: 'old', after: 'new' }]
    const draft = await project.prepare()
    return { commit: () => project.commit(draft, { edits }), root, before }
  }

  test('writes them together with the lock', async () => {
    const { commit, root } = await draftWithEdits()
    expect(await commit()).toMatchObject({ outcome: 'written' })
    expect(await filesIn(root)).toMatchObject({ 'src/main.ts': 'new' })
    expect(Object.keys(await filesIn(root))).toContain('prompts.lock.json')
  })

  test('writes nothing if a file changed since the edits were computed', async () => {
    const { commit, root, before } = await draftWithEdits()
    await writeFile(join(root, 'src/main.ts'), 'newer')
    expect(await rejection(commit())).toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(await filesIn(root)).toEqual({ ...before, 'src/main.ts': 'newer' })
  })

  test('restores the edits and the lock if the declarations cannot be written', async () => {
    const { commit, root, before } = await draftWithEdits()
    await writeFile(join(root, 'prompts.d.ts'), 'export {}')
    expect(await rejection(commit())).toMatchObject({ code: 'FILE_FOREIGN' })
    expect(await filesIn(root)).toEqual({ ...before, 'prompts.d.ts': 'export {}' })
  })
})

test('a pull without edits also restores the lock if the declarations cannot be written', async () => {
  const { env } = await serviceEnv('a')
  const { project, root } = await openTestProject({ processEnv: env })
  const draft = await project.prepare()
  await writeFile(join(root, 'prompts.d.ts'), 'export {}')
  expect(await rejection(project.commit(draft))).toMatchObject({ code: 'FILE_FOREIGN' })
  expect(await filesIn(root)).toEqual({ 'prompts.d.ts': 'export {}' })
})

describe('what a commit writes', () => {
  const OPTIONS = { outDir: 'out', apps: 'apps/web' } as const
  const FILES = { 'package.json': '{}', 'apps/web/package.json': '{}' }

  async function committed(slug: string) {
    const { env } = await serviceEnv('a', slug)
    const lock = liveLock({ slug: 'a' })
    return openTestProject({ options: OPTIONS, files: FILES, processEnv: env, lock })
  }

  test('is printed from the draft, also for the other apps, and the lock is written last', async () => {
    const { root, project } = await committed('new-prompt')
    const draft = await project.prepare()
    const times: string[] = []
    const write = project.lock.write
    project.lock.write = async (lock) => {
      times.push(...Object.keys(await filesIn(root)))
      return write(lock)
    }
    const { generated } = await project.commit(draft)
    expect(times).toEqual(expect.arrayContaining(['out/index.js', 'prompts.d.ts']))
    expect(generated.map((path) => relative(root, path)).toSorted()).toContain('out')
    expect((await filesIn(root))['prompts.d.ts']).toContain('newPrompt')
  })

  test('is nothing if an output cannot be printed', async () => {
    const { root, project } = await committed('b')
    const draft = await project.prepare()
    await mkdir(join(root, 'prompts.d.ts'))
    const before = await filesIn(root)
    expect(await rejection(project.commit(draft))).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(await filesIn(root)).toEqual(before)
  })
})

describe('an edit of the lock', () => {
  test('is refused if the lock has changed since a person saw it', async () => {
    const { root, project } = await openTestProject({ lock: LOCK, options: { dts: false } })
    const shown = await project.show()
    await project.commit(project.draftEdit(await project.show(), liveLock({ slug: 'a' })))
    const before = await filesIn(root)
    const draft = project.draftEdit(shown, { ...LOCK, environment: 'test' })
    expect(await rejection(project.commit(draft))).toMatchObject({ code: 'LOCK_CHANGED' })
    expect(await filesIn(root)).toEqual(before)
  })

  test('has no key in it', async () => {
    const key = 'svc_live_a'
    const { project } = await openTestProject({
      lock: LOCK,
      processEnv: { PROMPTS_TEST_API_KEY: key },
    })
    const shown = await project.show()
    expect(() => project.draftEdit(shown, liveLock({ system: `Use ${key}.` }))).toThrow(
      expect.objectContaining({ code: 'TEXT_HOLDS_KEY' }),
    )
  })
})

test.each([
  ['test', {}, {}, 'test'],
  ['test', {}, { PROMPTS_ENVIRONMENT: 'live' }, 'live'],
  ['test', { environment: 'live' }, { PROMPTS_ENVIRONMENT: 'test' }, 'live'],
] as const)(
  'a lock of %s with options %j and variables %j is served as %s',
  async (of, options, processEnv, want) => {
    const { project } = await openTestProject({ options, processEnv })
    expect(project.servedView({ ...LOCK, environment: of })).toBe(want)
  },
)
