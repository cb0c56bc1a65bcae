import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Guard } from '../../../src/config/options.ts'
import { createHost } from '../../../src/plugin/host.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import type { ReadImporter } from '../../../src/plugin/importers.ts'
import {
  DEFINITIONS,
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
    const { resolve, setContext } = fakeHost(fake)
    expect(await resolve(ENTRY, '/app/main.js', {})).toBe(RESOLVED)
    setContext({ byUse: true, readImporter: () => undefined })
    expect(await resolve(ENTRY, '/app/main.js', {})).toMatch(`${RESOLVED}/for/`)
    setContext({ byUse: false })
    expect(await resolve(ENTRY, '/app/main.js', {})).toBe(RESOLVED)
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
    const { resolve, setContext } = fakeHost(fakeProject({ options: { client } }))
    setContext({ isClient: () => true, notify, root: '/app' })
    const importing = async (...names: string[]): Promise<void> => {
      for (const name of names) await resolve(ENTRY, name, {})
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
  const { resolve, load, setContext } = fakeHost(fakeProject())
  let use = 'prompts.greeting'
  const readImporter: ReadImporter = (_, context) => ({
    code: `import { prompts } from '${ENTRY}'; ${'addWatchFile' in context ? use : ''}`,
  })
  setContext({ byUse: true, readImporter })
  const id = await resolve(ENTRY, '/app/main.js', {})
  expect(await load(`${id}/all`, watching())).toContain('as greeting')
  use = ''
  expect(await load(`${id}/all`, watching())).toContain('as greeting')
  await resolve(ENTRY, '/app/main.js', {})
  expect(await load(`${id}/all`, watching())).not.toContain('greeting')
})

test('has all prompts if the importer is not known, as after a restore from a cache', async () => {
  const { load } = fakeHost(fakeProject())
  expect(await load(`${RESOLVED}/for/ab/all`, watching())).toContain('as greeting')
})
describe('the start of a build', () => {
  test('makes the modules that are loaded meanwhile wait for the current lock', async () => {
    const fake = fakeProject()
    const session = fakeSession(fake)
    await session.refresh()
    fake.write('v2')
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    const { lockPaths } = session
    session.lockPaths = async () => gate.then(() => lockPaths.call(session))
    const host = createHost({ ids: idsOf('prompts'), session: () => session })
    const started = host.start(watching())
    host.setContext({ watched: false })
    const loaded = host.load(DEFINITIONS, watching())
    // Without a wait, the module would be loaded before the next turn of the event loop.
    setImmediate(release)
    expect(await loaded).toContain('"v2"')
    await started
  })

  test('reads the current lock, and writes declarations if a contract has changed', async () => {
    const fake = fakeProject()
    const { start, load } = fakeHost(fake)
    await start()
    fake.write('v2')
    await start()
    expect(await load(DEFINITIONS, watching())).toContain('"v2"')
    expect(fake.declared).toEqual(['v1'])
    fake.write('v3', '{{ name }}')
    await start()
    expect(fake.declared).toEqual(['v1', 'v3'])
  })

  test('looks up the files to watch once for all modules of a build, and never in a build that does not watch', async () => {
    const session = fakeSession(fakeProject())
    const lockPaths = vi.spyOn(session, 'lockPaths')
    const host = createHost({ ids: idsOf('prompts'), session: () => session })
    for (const watched of [false, true]) {
      const context = watching()
      host.setContext({ watched })
      await host.start(context)
      await host.load(DEFINITIONS, context)
      await host.load(`${RESOLVED}/runtime`, context)
      expect(context.files.length).toBe(watched ? 3 : 0)
    }
    // Before the start, and after it: the options may name another lock.
    expect(lockPaths).toHaveBeenCalledTimes(2)
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
    const { start, setContext } = fakeHost(fake)
    setContext({ watched })
    await start(context).catch(() => undefined)
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
