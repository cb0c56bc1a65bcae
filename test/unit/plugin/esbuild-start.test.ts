import { existsSync, readFileSync } from 'node:fs'
import type { PluginBuild } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { rebuildOnChange } from '../../../src/plugin/esbuild/esbuild.ts'
import { fakeHost, fakeProject, type FakeProject } from '../../helpers/fake-project.ts'

type Change = (fake: FakeProject) => void

const stay: Change = () => undefined
const write: Change = (fake) => void fake.write('v2')
const corrupt: Change = (fake) => void fake.corrupt()

/** The steps of builds of esbuild with the plugin, and how often it has requested another one. */
function fakeBuilds() {
  const fake = fakeProject()
  const callbacks = new Map<string, () => unknown>()
  const on = (name: string) => (callback: () => unknown) => callbacks.set(name, callback)
  const build = { onStart: on('start'), onEnd: on('end'), onDispose: on('dispose') }
  const watchFiles = rebuildOnChange(fakeHost(fake), build as unknown as PluginBuild)
  const dispose = (): void => void callbacks.get('dispose')?.()
  onTestFinished(dispose)
  let watched: readonly string[] = []
  /** Builds, with changes before the start and before esbuild reads the files that it watches. */
  const run = async (before: Change, meanwhile: Change): Promise<readonly string[]> => {
    before(fake)
    await Promise.resolve(callbacks.get('start')?.()).catch(() => undefined)
    meanwhile(fake)
    watched = await watchFiles()
    await callbacks.get('end')?.()
    return watched
  }
  const requests = (): number => {
    const [request = ''] = watched
    return existsSync(request) ? readFileSync(request, 'utf8').length : 0
  }
  return { run, requests, dispose }
}

/** For each build, what changes before its start and before esbuild reads the files that it watches. */
test.each([
  ['an unchanged lock', 0, [stay, stay]],
  ['a lock that changes before esbuild reads it', 1, [stay, write, stay, stay]],
  ['a lock that is fixed before esbuild reads it', 1, [corrupt, write, stay, stay]],
  ['a lock that stays broken', 0, [corrupt, stay, stay, stay]],
  ['a lock that is broken again', 0, [corrupt, stay, write, stay, corrupt, stay]],
] as const)('builds of esbuild with %s request %i others', async (_, count, changes) => {
  const { run, requests } = fakeBuilds()
  for (let index = 0; index < changes.length; index += 2)
    expect(await run(changes[index] ?? stay, changes[index + 1] ?? stay)).toContain(
      '/nowhere/prompts.lock.json',
    )
  expect(requests()).toBe(count)
})

test('the file that requests a build of esbuild is removed with the builds', async () => {
  const { run, requests, dispose } = fakeBuilds()
  await run(stay, write)
  expect(requests()).toBe(1)
  dispose()
  expect(requests()).toBe(0)
})
