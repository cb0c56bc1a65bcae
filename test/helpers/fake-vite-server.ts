import { EventEmitter } from 'node:events'
import { onTestFinished, vi } from 'vitest'
import type { EnvironmentModuleNode, HotUpdateOptions, ViteDevServer } from 'vite'
import type { Host } from '../../src/plugin/host.ts'
import { viteServerHooks } from '../../src/plugin/vite/vite-server.ts'
import { type FakeProject, fakeHost, fakeProject } from './fake-project.ts'

export const LOCK: string = '/nowhere/prompts.lock.json'

/** A module that changes with the lock. */
export const DEFINITIONS: string = '\0virtual:prompts/definitions/0'

type Hook = (this: object, ...given: never[]) => Promise<unknown>

/** A dev server of Vite on our hooks, which does nothing else. */
export interface FakeServer {
  readonly log: string[]
  readonly sent: { readonly type: string }[]
  readonly watcher: EventEmitter
  readonly restart: ReturnType<typeof vi.fn>
  /** What was invalidated in the environment of the server, by id. */
  readonly invalidated: string[]
  /** Notifies the plugin of a changed file, as Vite does, and returns the modules to update. */
  change(file?: string): Promise<readonly string[] | undefined>
}

export interface Started extends FakeServer {
  readonly fake: FakeProject
  readonly host: Host
}

/** Starts a dev server on a plugin. It has loaded all modules. */
export async function serve(host: Host): Promise<FakeServer> {
  return serveWith(viteServerHooks(host))
}

/** Starts a dev server on these hooks. It has loaded all modules. */
export async function serveWith(hooks: ReturnType<typeof viteServerHooks>): Promise<FakeServer> {
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

/** Starts a dev server on a plugin whose project is in memory. */
export async function started(
  fake: FakeProject = fakeProject({ options: { page: false } }),
): Promise<Started> {
  const host = fakeHost(fake)
  return { ...(await serve(host)), fake, host }
}
