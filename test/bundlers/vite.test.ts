import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BuildEnvironmentOptions,
  createBuilder,
  createLogger,
  type EnvironmentOptions,
  type Plugin,
} from 'vite'
import { describe, expect, test, vi } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import type { Options } from '../../src/config/options.ts'
import { GROUPS } from '../../src/plugin/ids.ts'
import { liveLock, lockOf as bothParts } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { newApp, numberedLock, promptsIn, readCode, replace, writeLock } from './app.ts'
import { buildVite } from './bundlers.ts'
import { jobIn, viteConfig } from './configs.ts'
import {
  declares,
  devServer,
  greeting,
  greetingApp,
  outsideOfTests,
  servedToClient,
  serves,
} from './vite-server.ts'

/** With another contract, so the declarations change too. */
const V2 = greeting('v2', 'Hello {{ name }}')

/** A lock of prompts in the order of their versions. */
function lockOf(versions: readonly string[]): Lock {
  const slug = (index: number): string => `prompt-${String(index).padStart(3, '0')}`
  return liveLock(...versions.map((version, index) => ({ slug: slug(index), version })))
}

describe('the dev server of Vite', () => {
  test('serves prompts to SSR and the browser from the lock, and updates both and the declarations, once if the watcher reports one change several times', async () => {
    const root = await greetingApp()
    const dev = await devServer(root)
    await serves(dev, 'v1')
    const { watcher, environments } = dev.server
    await environments.client.transformRequest('/main.js')
    expect(await servedToClient(dev)).toContain('"v1"')
    const sent = vi.spyOn(environments.client.hot, 'send')
    await writeLock(root, V2)
    for (let event = 0; event < 3; event++) watcher.emit('change', join(root, 'prompts.lock.json'))
    await serves(dev, 'v2')
    await vi.waitFor(async () => expect(await servedToClient(dev)).toContain('"v2"'), SOON)
    // They follow when the events have been handled.
    await declares(root, ' · v2')
    expect(sent).toHaveBeenCalledOnce()
  })

  test('reloads the part of the definitions that changes, and the names only if they change', async () => {
    const versions = Array.from({ length: 120 }, () => 'v1')
    const root = await newApp({}, lockOf(versions))
    const made: string[] = []
    const recorder = { name: 'recorder', transform: (_: string, id: string) => void made.push(id) }
    // Otherwise Vite also requests what modules import, under other addresses and at any time later.
    const config = { plugins: [recorder], server: { preTransformRequests: false } }
    const { server } = await devServer(root, {}, config)
    const { client } = server.environments
    const parts = Array.from({ length: GROUPS }, (_, part) => `/definitions/${part}`)
    const loadAll = async (): Promise<void> => {
      for (const id of ['', '/all', ...parts, '/runtime'])
        await client.transformRequest(`virtual:prompts${id}`)
    }
    const sent = vi.spyOn(client.hot, 'send')
    const changedBy = async (changed: readonly string[]): Promise<string[]> => {
      await loadAll()
      made.length = 0
      sent.mockClear()
      await writeLock(root, lockOf(changed))
      await vi.waitFor(() => expect(sent).toHaveBeenCalled(), SOON)
      await loadAll()
      return made.map((id) => id.replace('\0virtual:prompts', ''))
    }
    const one = versions.with(60, 'v2')
    const definitions = expect.stringMatching(/^\/definitions\/\d+$/)
    expect(await changedBy(one)).toEqual([definitions])
    expect(await changedBy(one.slice(0, -1))).toEqual(['', '/all', definitions])
  })

  test('updates to the changed lock also if Vite has not waited for `watchChange`, as 6.0 and 6.1', async () => {
    const root = await greetingApp()
    const dev = await devServer(root, {}, { server: { watch: null } })
    await serves(dev, 'v1')
    await writeLock(root, V2)
    const { config, environments } = dev.server
    const plugin = config.plugins.find(({ name }) => name === 'unplugin-prompts/server')
    const hotUpdate = plugin?.hotUpdate as (this: object, change: object) => Promise<object[]>
    const file = join(root, 'prompts.lock.json')
    const change = { file, modules: [], timestamp: 1 }
    const changed = await hotUpdate.call({ environment: environments.ssr }, change)
    const definitions = expect.stringMatching(/^\0virtual:prompts\/definitions\/\d+$/)
    expect(changed).toMatchObject([{ id: definitions }])
    await serves(dev, 'v2')
  })

  test('serves the new prompts without automatic updates too (hmr: false)', async () => {
    const root = await greetingApp()
    const dev = await devServer(root, {}, { server: { hmr: false } })
    await serves(dev, 'v1')
    await writeLock(root, V2)
    await serves(dev, 'v2')
  })

  test('shows a broken lock with code, reason and fix, and each other fault once, keeps the last good one, and clears the error when the lock is fixed', async () => {
    const root = await greetingApp()
    const dev = await devServer(root)
    const path = join(root, 'prompts.lock.json')
    const whole = await readFile(path, 'utf8')
    const conflicted = `<<<<<<< HEAD\n${whole}`
    const shows = async (...codes: readonly string[]): Promise<void> => {
      const errors = dev.sent.flatMap(({ err }) => err?.message ?? [])
      expect(errors.map((message) => /^\[(\w+)\]/.exec(message)?.[1])).toEqual(codes)
      expect(dev.log.filter((line) => /\[LOCK_\w+\]/.test(line))).toHaveLength(codes.length)
      await serves(dev, 'v1')
    }
    await replace(path, conflicted)
    await vi.waitFor(() => shows('LOCK_CONFLICTED'), SOON)
    const { pluginContainer } = dev.server.environments.client
    await pluginContainer.watchChange(path, { event: 'update' })
    expect(dev.log.join('\n')).toMatch(/merge conflict \(line 1\)[^]*npx prompts pull/)
    await rm(path)
    await vi.waitFor(() => shows('LOCK_CONFLICTED', 'LOCK_MISSING'), SOON)
    await replace(path, whole)
    await vi.waitFor(() => expect(dev.sent.at(-1)).toEqual({ type: 'update', updates: [] }), SOON)
    await replace(path, conflicted)
    await vi.waitFor(() => shows('LOCK_CONFLICTED', 'LOCK_MISSING', 'LOCK_CONFLICTED'), SOON)
  })

  test('updates and reports after a restart that keeps its plugins too, as frameworks do, also declarations that cannot be updated', async () => {
    const root = await greetingApp()
    const dev = await devServer(root)
    await dev.server.restart()
    await serves(dev, 'v1')
    await writeFile(join(root, 'prompts.lock.json'), '<<<<<<< HEAD\n')
    await vi.waitFor(() => expect(dev.log.join('\n')).toContain('[LOCK_CONFLICTED]'), SOON)
    await writeLock(root, V2)
    await serves(dev, 'v2')
    await declares(root, ' · v2')
    await rm(join(root, 'prompts.d.ts'))
    await mkdir(join(root, 'prompts.d.ts'))
    await writeLock(root, greeting('v3', 'Bye'))
    await vi.waitFor(() => expect(dev.log.join('\n')).toMatch(/\[FILE_UN(?:READ|WRIT)ABLE\]/), SOON)
    await serves(dev, 'v3')
  })

  test('declares the view that its options name, also when they change', async () => {
    outsideOfTests()
    const live = greeting('v1').parts
    const staging = [{ slug: 'greeting', version: 'v2', system: 'Hello {{ tone }}' }]
    const root = await greetingApp(bothParts({ live, staging }))
    const dev = await devServer(root)
    await serves(dev, 'v1')
    await declares(root, ' · v1')
    const config = join(root, 'prompts.config.json')
    await writeFile(config, '{ "environment": "test" }')
    await serves(dev, 'v2')
    // Both modules have that view.
    const declared = (): Promise<string> => readFile(join(root, 'prompts.d.ts'), 'utf8')
    await vi.waitFor(async () => expect(await declared()).not.toContain(' · v1'), SOON)
    await rm(config)
    await serves(dev, 'v1')
    await declares(root, ' · v1')
  })

  test('warns once of prompts in client code, and ends without an error', async () => {
    outsideOfTests()
    const ends: unknown[] = []
    const recorder = { name: 'recorder', closeBundle: (error?: Error) => void ends.push(error) }
    const dev = await devServer(await greetingApp(), {}, { plugins: [recorder] })
    const { client } = dev.server.environments
    for (const id of ['/main.js', 'virtual:prompts']) await client.transformRequest(id)
    await dev.server.close()
    expect(new Set(ends)).toEqual(new Set([undefined]))
    const warnings = dev.log.filter((line) => line.includes('PROMPTS_IN_CLIENT'))
    expect(warnings).toEqual([expect.stringContaining('main.js')])
  })
})

test('environments that share plugins and are built side by side get each what their own code uses', async () => {
  const root = await newApp({ 'main.js': '' }, numberedLock(2))
  const names = ['client', 'ssr']
  let waiting = names.length
  let release = (): void => undefined
  const all = new Promise<void>((resolve) => (release = resolve))
  const split: Plugin = {
    name: 'split',
    async transform(_, id) {
      if (!id.endsWith('main.js')) return undefined
      if (--waiting === 0) release()
      await all
      const number = names.indexOf(this.environment.name)
      return `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt${number}.source)\n`
    },
  }
  const config = await viteConfig(jobIn(root, { options: { client: 'allow' } }))
  const environmentOf = (name: string): EnvironmentOptions => ({
    build: { ...config.build, outDir: join(root, name) },
  })
  const builder = await createBuilder({
    ...config,
    plugins: [split, config.plugins],
    environments: { client: environmentOf('client'), ssr: environmentOf('ssr') },
    builder: { sharedConfigBuild: true },
  })
  await Promise.all(Object.values(builder.environments).map((each) => builder.build(each)))
  const codes = await Promise.all(names.map((name) => readCode(join(root, name))))
  expect(codes.map(promptsIn)).toEqual([[0], [1]])
})

test.each<[options: Options, build: BuildEnvironmentOptions, want: unknown[] | RegExp]>([
  [{ client: 'allow' }, {}, []],
  [{}, {}, [expect.stringMatching(/(?:left|right)\.js imports prompts/)]],
  [{ client: 'error' }, {}, /PROMPTS_IN_CLIENT/],
  [{ client: 'error' }, { ssr: true }, []],
  [{ client: 'error' }, { lib: { entry: 'main.js', formats: ['es'] } }, []],
  [{ environment: 'test' }, { ssr: true }, [expect.stringContaining('prompts.lock.json')]],
  [{ environment: 'test', production: 'error' }, { ssr: true }, /TEST_IN_PRODUCTION/],
])('a build of Vite with %j and %j warns once or fails', async (options, build, want) => {
  outsideOfTests()
  vi.stubEnv('NODE_ENV', 'production')
  const { parts: live } = greeting('v1')
  const use = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.greeting)\n`
  const main = `import './left.js'\nimport './right.js'\n`
  const staging = [{ slug: 'greeting', version: 'v2' }]
  const files = { 'main.js': main, 'left.js': use, 'right.js': use }
  const root = await newApp(files, bothParts({ live, staging }))
  const log: string[] = []
  const customLogger = createLogger('silent')
  Object.assign(customLogger, { warn: (message: string) => log.push(message) })
  const built = buildVite(await viteConfig(jobIn(root, { options }), { customLogger, build }))
  if (want instanceof RegExp) return expect(built).rejects.toThrow(want)
  await built
  expect(log.filter((line) => line.includes('[unplugin-prompts] '))).toEqual(want)
})
