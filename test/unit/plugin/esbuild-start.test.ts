import { existsSync, readFileSync } from 'node:fs'
import type { PluginBuild } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { rebuildOnChange } from '../../../src/plugin/esbuild/esbuild.ts'
import { fakeHost, fakeProject, type FakeProject } from '../../helpers/fake-project.ts'

type Callback = () => unknown

/** One build of esbuild: what the plugin does in it, step by step. */
interface FakeBuild {
  readonly fake: FakeProject
  /** The files that were named. */
  readonly watched: readonly string[]
  start(): Promise<unknown>
  /** Resolves a module of the package, and ends. */
  end(): Promise<void>
  /** How often the plugin has requested another build. */
  requests(): number
  dispose(): void
}

function fakeBuild(): FakeBuild {
  const fake = fakeProject()
  const callbacks = new Map<string, Callback>()
  const build = {
    onStart: (callback: Callback) => callbacks.set('start', callback),
    onEnd: (callback: Callback) => callbacks.set('end', callback),
    onDispose: (callback: Callback) => callbacks.set('dispose', callback),
  }
  const watched: string[] = []
  const watchFiles = rebuildOnChange(fakeHost(fake), build as unknown as PluginBuild)
  const run = async (name: string): Promise<unknown> => callbacks.get(name)?.()
  const dispose = (): void => void callbacks.get('dispose')?.()
  onTestFinished(dispose)
  return {
    fake,
    start: () => run('start').catch((error: unknown) => error),
    watched,
    async end() {
      watched.push(...(await watchFiles()))
      await run('end')
    },
    requests() {
      const [request = ''] = watched
      return existsSync(request) ? readFileSync(request, 'utf8').length : 0
    },
    dispose,
  }
}

test('a build of an unchanged lock requests no other build, and watches the lock', async () => {
  const { watched, start, end, requests } = fakeBuild()
  await start()
  await end()
  expect(watched).toContain('/nowhere/prompts.lock.json')
  expect(requests()).toBe(0)
})

test('a lock that changes between the start of a build and the moment when esbuild reads it is built next', async () => {
  const { fake, start, end, requests } = fakeBuild()
  await start()
  fake.write('v2')
  await end()
  expect(requests()).toBe(1)
  await start()
  await end()
  expect(requests()).toBe(1)
})

test('a lock that was broken at the start of a build and fixed before esbuild reads it is built next', async () => {
  const { fake, start, end, requests } = fakeBuild()
  fake.corrupt()
  expect(await start()).toMatchObject({ code: 'LOCK_CONFLICTED' })
  fake.write('v2')
  await end()
  expect(requests()).toBe(1)
  expect(await start()).toBeUndefined()
  await end()
  expect(requests()).toBe(1)
})

test('a lock that stays broken is not built again and again', async () => {
  const { fake, start, end, requests } = fakeBuild()
  fake.corrupt()
  await start()
  await end()
  expect(requests()).toBe(0)
  fake.write('v2')
  await start()
  await end()
  fake.corrupt()
  await start()
  await end()
  expect(requests()).toBe(0)
})

test('the file that requests a build is removed with the builds', async () => {
  const { fake, start, end, requests, dispose } = fakeBuild()
  await start()
  fake.write('v2')
  await end()
  dispose()
  expect(requests()).toBe(0)
})
