import { EventEmitter } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { EnvironmentModuleNode, HotUpdateOptions, ViteDevServer } from 'vite'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import type { Host } from '../../../src/plugin/host.ts'
import { viteServerHooks } from '../../../src/plugin/vite/vite-server.ts'
import { type FakeProject, fakeHost, fakeProject } from '../../helpers/fake-project.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const LOCK = '/nowhere/prompts.lock.json'
const DEFINITIONS = '\0virtual:prompts/definitions/0'
const soon = { timeout: 5000, interval: 5 }

/** The part of a hook that is called here. */
type Hook = (this: object, ...given: never[]) => Promise<unknown>

interface FakeServer {
  readonly log: string[]
  readonly sent: { readonly type: string }[]
  readonly watcher: EventEmitter
  readonly restart: ReturnType<typeof vi.fn>
  /** What was invalidated in the environment of the server, by id. */
  readonly invalidated: string[]
  /** Tells the plugin of a change of a file, as Vite does; gives the modules that it updates. */
  change(file?: string): Promise<readonly string[] | undefined>
}

interface Started extends FakeServer {
  readonly fake: FakeProject
  readonly host: Host
}

/** Starts a dev server on a plugin. It has loaded all modules. */
async function serve(host: Host): Promise<FakeServer> {
  return serveWith(viteServerHooks(host))
}

async function serveWith(hooks: ReturnType<typeof viteServerHooks>): Promise<FakeServer> {
  const ids = ['\0virtual:prompts', DEFINITIONS, '/main.js']
  const modules = new Map(ids.map((id) => [id, { id } as EnvironmentModuleNode]))
  const invalidated: string[] = []
  const invalidateModule = ({ id }: { id: string }): void => void invalidated.push(id)
  const environment = { moduleGraph: { idToModuleMap: modules, invalidateModule } }
  const log: string[] = []
  const say = (message: string): void => void log.push(message)
  const sent: FakeServer['sent'] = []
  const watcher = Object.assign(new EventEmitter(), { add: () => undefined })
  const restart = vi.fn<() => Promise<void>>(async () => undefined)
  const server = {
    watcher,
    restart,
    environments: { ssr: environment },
    config: { logger: { info: say, error: say }, server: {}, plugins: [] },
    ws: { send: (message: FakeServer['sent'][number]) => void sent.push(message) },
    bindCLIShortcuts: () => undefined,
    httpServer: null,
  }
  const call = (hook: unknown, ...given: unknown[]): Promise<unknown> =>
    (hook as Hook).apply({ environment }, given as never[])
  await call(hooks.configureServer, server as unknown as ViteDevServer)
  onTestFinished(() => void call(hooks.closeBundle))
  const change: FakeServer['change'] = async (file = LOCK) => {
    await call(hooks.watchChange, file)
    const update = { file, modules: [], timestamp: 1 } satisfies Partial<HotUpdateOptions>
    const updated = await call(hooks.hotUpdate, update)
    return (updated as { id: string }[] | undefined)?.map(({ id }) => id)
  }
  return { log, sent, watcher, restart, invalidated, change }
}

async function started(fake = fakeProject({ options: { page: false } })): Promise<Started> {
  const host = fakeHost(fake, { bundler: 'vite' })
  return { ...(await serve(host)), fake, host }
}

describe('a lock that changes in a dev server', () => {
  test('updates the modules that are others then, once', async () => {
    const { fake, change } = await started()
    fake.write('v2')
    expect(await change()).toEqual([DEFINITIONS])
    expect(await change()).toEqual([])
  })

  test('invalidates them, whatever other plugins leave of the update', async () => {
    const { fake, change, invalidated } = await started()
    fake.write('v2')
    await change()
    expect(invalidated).toEqual([DEFINITIONS])
  })

  test('is no matter of other files', async () => {
    const { fake, change } = await started()
    fake.write('v2')
    expect(await change('/nowhere/other.json')).toBeUndefined()
  })

  test('and is missing right after several changes is reported once', async () => {
    const { fake, change, log } = await started()
    for (const version of ['v2', 'v3', 'v4']) {
      fake.write(version)
      // oxlint-disable-next-line no-await-in-loop
      await change()
    }
    fake.remove()
    await Promise.all([change(), change()])
    await change()
    await vi.waitFor(() => expect(fake.declared).toEqual(['v1', 'v4']), soon)
    await change()
    expect(log.filter((line) => line.includes('[LOCK_MISSING]'))).toHaveLength(1)
  })

  test('and is broken shows in the overlay, until it is fixed; another fault is reported again', async () => {
    const { fake, change, log, sent } = await started()
    fake.corrupt()
    await change()
    expect(sent.map(({ type }) => type)).toEqual(['error'])
    fake.remove()
    await change()
    fake.write('v2')
    await change()
    fake.corrupt()
    await change()
    expect(sent.map(({ type }) => type)).toEqual(['error', 'error', 'update', 'error'])
    expect(log.map((line) => /\[(LOCK_\w+)\]/.exec(line)?.[1])).toEqual([
      'LOCK_CONFLICTED',
      'LOCK_MISSING',
      'LOCK_CONFLICTED',
    ])
  })

  test.each(['declare', 'stamp'] as const)(
    'while the server starts is made known to it (after: %s)',
    async (step) => {
      const fake = fakeProject({ options: { page: false } })
      fake.after(step, step === 'stamp' ? 3 : 1, () => fake.write('v2'))
      const { watcher, change, host } = await started(fake)
      const changes: string[] = []
      watcher.on('change', (file: string) => {
        changes.push(file)
        void change(file)
      })
      const version = async (): Promise<string | undefined> =>
        (await host.session.snapshot()).lock.prompts[0]?.version
      await vi.waitFor(async () => expect(await version()).toBe('v2'), soon)
      expect(changes.every((file) => file === LOCK)).toBe(true)
    },
  )

  test('without an event, such as behind a link, is made known to the server', async () => {
    const { fake, watcher } = await started()
    const changed = new Promise((resolve) => watcher.once('change', resolve))
    fake.write('v2')
    expect(await changed).toBe(LOCK)
  })
})

describe('outside of tests', () => {
  beforeEach(() => {
    vi.stubEnv('VITEST', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
  })

  test('what is waiting is looked up once, however many servers one plugin has', async () => {
    const options = { page: false, apiKey: 'svc_live_x', baseUrl: 'http://127.0.0.1:9' }
    const fake = fakeProject({ options })
    const asked = vi
      .spyOn(fake.project, 'withService')
      .mockRejectedValue(new PromptsError('KEY_MISSING', { variable: 'PROMPTS_API_KEY' }))
    const hooks = viteServerHooks(fakeHost(fake, { bundler: 'vite' }))
    await serveWith(hooks)
    await serveWith(hooks)
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), soon)
    expect(asked).toHaveBeenCalledOnce()
  })

  test.each(['.env.local', 'prompts.config.mjs'])(
    'a server starts again when %s is added',
    async (name) => {
      const root = await temporaryFolder()
      await writeFile(join(root, 'package.json'), '{}')
      const fake = fakeProject({ root, options: { page: false } })
      const { restart, log } = await serve(fakeHost(fake, { bundler: 'vite', root }))
      await writeFile(join(root, name), '')
      await vi.waitFor(() => expect(restart).toHaveBeenCalled(), soon)
      expect(log.join()).toContain('restarting')
    },
  )
})
