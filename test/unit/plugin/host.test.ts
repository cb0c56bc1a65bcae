import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Guard } from '../../../src/config/options.ts'
import type { BuildContext } from '../../../src/plugin/context.ts'
import { Host } from '../../../src/plugin/host.ts'
import type { ReadImporter } from '../../../src/plugin/importers.ts'
import {
  DEFINITIONS,
  fakeContext,
  type FakeProject,
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

describe('an import in client code', () => {
  function guarded(client: Guard): {
    said: string[]
    importing: (...names: string[]) => Promise<void>
  } {
    const said: string[] = []
    const notify = (_: unknown, message: string): void => void said.push(message)
    const told = { isClient: () => true, notify, root: '/app' }
    const host = fakeHost(fakeProject({ options: { client } }), told)
    const importing = async (...names: string[]): Promise<void> => {
      for (const name of names) await host.resolve(ENTRY, name, {})
    }
    return { said, importing }
  }

  test('is warned of once, with the file', async () => {
    const { said, importing } = guarded('warn')
    await importing('/app/src/page.vue?vue&type=script', '/app/src/other.js')
    expect(said).toEqual([expect.stringContaining('] src/page.vue imports')])
  })

  test('fails each time by client: error, also from a module without a file', async () => {
    const { said, importing } = guarded('error')
    for (const [id, path] of [
      ['/app/page.js', 'page.js'],
      ['/app/page.js', 'page.js'],
      ['virtual:page', 'virtual:page'],
    ] as const)
      expect(await rejection(importing(id))).toMatchObject({
        code: 'PROMPTS_IN_CLIENT',
        details: { path },
      })
    expect(said).toEqual([])
  })

  test('is nothing by client: allow, nor if the modules here import each other', async () => {
    const { said, importing } = guarded('allow')
    await importing('/app/page.js')
    expect(said).toEqual([])
    await guarded('error').importing(RESOLVED)
  })
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

  test('reads the current lock, and writes declarations if a contract has changed', async () => {
    const fake = fakeProject()
    const host = fakeHost(fake)
    await host.start()
    fake.write('v2')
    await host.start()
    expect(await host.load(DEFINITIONS, watching())).toContain('"v2"')
    expect(fake.declared).toEqual(['v1'])
    fake.write('v3', '{{ name }}')
    await host.start()
    expect(fake.declared).toEqual(['v1', 'v3'])
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

  test.each([
    ['the lock', () => undefined, true, ['/nowhere/prompts.lock.json']],
    [
      'a lock that is broken',
      (fake: FakeProject) => fake.corrupt(),
      true,
      ['/nowhere/prompts.lock.json'],
    ],
    ['nothing if a dev server updates its modules', () => undefined, false, []],
  ])('watches %s', async (_, change, watched, files) => {
    const fake = fakeProject()
    change(fake)
    const context = watching()
    const host = fakeHost(fake, { watched })
    await host.start(context).catch(() => undefined)
    expect(context.files).toEqual(files)
  })

  test('also watches the target of a link', async () => {
    const root = await temporaryFolder({ 'target.json': '' })
    await symlink(join(root, 'target.json'), join(root, 'prompts.lock.json'))
    const context = watching()
    await fakeHost(fakeProject({ root })).start(context)
    expect(context.files).toEqual([join(root, 'prompts.lock.json'), join(root, 'target.json')])
  })
})
