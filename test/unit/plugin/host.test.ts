import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { BuildContext } from '../../../src/plugin/context.ts'
import { Host } from '../../../src/plugin/host.ts'
import type { ReadImporter } from '../../../src/plugin/importers.ts'
import {
  DEFINITIONS,
  fakeContext,
  fakeHost,
  fakeProject,
  fakeSession,
} from '../../helpers/fake-project.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const ENTRY = 'virtual:prompts'
const RESOLVED = `\0${ENTRY}`

/** `this` of a hook that watches files. */
function watching(): { files: string[]; addWatchFile: (path: string) => void } {
  const files: string[] = []
  return { files, addWatchFile: (path) => void files.push(path) }
}

describe('the resolving of an import', () => {
  test('gives each importer its own module, or all the same in a dev server and without a reader', async () => {
    const fake = fakeProject()
    const idIn = (told: Partial<BuildContext>): Promise<string> =>
      fakeHost(fake, told).resolve(ENTRY, '/app/main.js', {})
    const readImporter = (): undefined => undefined
    expect(await idIn({})).toBe(RESOLVED)
    expect(await idIn({ readImporter })).toMatch(`${RESOLVED}/for/`)
    expect(await idIn({ readImporter, isServer: true })).toBe(RESOLVED)
    // Nothing is read before the lock is needed.
    expect(fake.steps).toEqual([])
  })
})

test.each([
  ['/app/src/page.vue?vue&type=script', 'src/page.vue'],
  ['virtual:page', 'virtual:page'],
])('client code that imports prompts in %s is named %s', async (importer, path) => {
  const project = fakeProject({ options: { client: 'error' } })
  const host = fakeHost(project, { isClient: () => true, root: '/app' })
  const error = { code: 'PROMPTS_IN_CLIENT', details: { path } }
  expect(await rejection(host.resolve(ENTRY, importer, {}))).toMatchObject(error)
  // The modules here import each other.
  await host.resolve(ENTRY, RESOLVED, {})
})

test('the modules of an importer ask once what that uses, when the first is loaded, and again after a change', async () => {
  let use = 'prompts.greeting'
  const readImporter: ReadImporter = (_, context) => ({
    code: `import { prompts } from '${ENTRY}'; ${'addWatchFile' in context ? use : ''}`,
  })
  const host = fakeHost(fakeProject(), { readImporter })
  const id = await host.resolve(ENTRY, '/app/main.js', {})
  expect(await host.load(`${id}/all`, watching())).toContain('as greeting')
  use = ''
  expect(await host.load(`${id}/all`, watching())).toContain('as greeting')
  await host.resolve(ENTRY, '/app/main.js', {})
  expect(await host.load(`${id}/all`, watching())).not.toContain('greeting')
})

test('has all prompts if the importer is not known, as after a restore from a cache', async () => {
  const host = fakeHost(fakeProject())
  expect(await host.load(`${RESOLVED}/for/ab/all`, watching())).toContain('as greeting')
})

describe('the start of a build', () => {
  test('makes the modules that are loaded meanwhile wait for the current lock', async () => {
    const fake = fakeProject()
    const host = fakeHost(fake)
    await host.start(watching())
    fake.write('v2')
    const started = host.start(watching())
    expect(await host.load(DEFINITIONS, watching())).toContain('"v2"')
    await started
  })

  test('decides what its modules are of, also if another build of the session reads a newer lock; a server has the newest', async () => {
    const fake = fakeProject()
    const [session, context] = [fakeSession(fake), fakeContext()]
    const [build, other] = [new Host(context, session), new Host(context, session)]
    const server = new Host(fakeContext({ isServer: true }), session)
    for (const host of [build, server]) await host.start()
    fake.write('v2')
    await other.start()
    const versions = [build, other, server].map((host) => host.load(DEFINITIONS, watching()))
    const [old, ...now] = await Promise.all(versions)
    expect(old).toContain('"v1"')
    for (const code of now) expect(code).toContain('"v2"')
  })

  test('looks up the files to watch once for all modules of a build, and never in a build that does not watch', async () => {
    for (const watched of [false, true]) {
      const host = fakeHost(fakeProject(), { watched })
      const lockPaths = vi.spyOn(host.session, 'lockPaths')
      const hook = watching()
      await host.start(hook)
      await host.load(DEFINITIONS, hook)
      await host.load(`${RESOLVED}/runtime`, hook)
      expect(hook.files.length).toBe(watched ? 3 : 0)
      expect(lockPaths).toHaveBeenCalledTimes(watched ? 1 : 0)
    }
  })

  test.each([false, true])('watches the lock, also if it is broken: %s', async (isBroken) => {
    const fake = fakeProject()
    if (isBroken) fake.corrupt()
    const context = watching()
    await fakeHost(fake)
      .start(context)
      .catch(() => undefined)
    expect(context.files).toEqual(['/nowhere/prompts.lock.json'])
  })

  test('also watches the target of a link', async () => {
    const root = await temporaryFolder({ 'target.json': '' })
    await symlink(join(root, 'target.json'), join(root, 'prompts.lock.json'))
    const context = watching()
    await fakeHost(fakeProject({ root })).start(context)
    expect(context.files).toEqual([join(root, 'prompts.lock.json'), join(root, 'target.json')])
  })
})
