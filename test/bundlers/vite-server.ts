import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { InlineConfig, ViteDevServer } from 'vite'
import type { Lock } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { type RecordingServer, startRecording } from '../helpers/local-service.ts'
import { liveLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { newApp } from './app.ts'
import { type Job, jobIn, viteConfig } from './configs.ts'

/** An app that exports the version of its only prompt. */
const GREETING_MAIN = `import { prompts } from 'virtual:prompts'
export const version = () => prompts.greeting.version
`

/** The lock of that app. */
export const greeting = (version: string, system = 'Hello'): Lock =>
  liveLock({ slug: 'greeting', version, system })

/** Writes that app, with version `v1` unless another lock is given. */
export async function greetingApp(lock: Lock | undefined = greeting('v1')): Promise<string> {
  return newApp({ 'main.js': GREETING_MAIN }, lock)
}

/** Waits until a server of that app serves a version. */
export async function serves({ server }: DevServer, expected: string): Promise<void> {
  await vi.waitFor(async () => {
    const { version } = await server.ssrLoadModule('/main.js')
    expect(version()).toBe(expected)
  }, SOON)
}

/** What the browser is given for the modules with prompts, whole. */
export async function servedToClient({ server }: DevServer): Promise<string> {
  const { client } = server.environments
  const codeOf = async (id: string): Promise<string> =>
    (await client.transformRequest(id))?.code ?? ''
  const entries = [await codeOf('/main.js'), await codeOf('virtual:prompts')]
  const all = await codeOf('virtual:prompts/all')
  const definitions = new Set(all.match(/virtual:prompts\/definitions\/\d+/g))
  return [...entries, all, ...(await Promise.all([...definitions].map(codeOf)))].join('\n')
}

/** Waits until the declarations of an app contain a text. */
export async function declares(root: string, text: string): Promise<void> {
  await vi.waitFor(
    async () => expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain(text),
    SOON,
  )
}

/** Lets servers and builds of a test do what they leave out in tests. */
export function outsideOfTests(): void {
  vi.stubEnv('VITEST', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
}

/** What a dev server said and sent. */
export interface DevServer {
  readonly server: ViteDevServer
  /** Lines of its log. */
  readonly log: readonly string[]
  /** What it sent to browsers. */
  readonly sent: readonly { readonly type: string; readonly err?: { readonly message: string } }[]
}

/** A dev server in middleware mode, which ends with the test. */
export async function devServer(
  root: string,
  options: Job['options'] = {},
  config: InlineConfig = {},
): Promise<DevServer> {
  const { createLogger, createServer, mergeConfig } = await import('vite')
  const log: string[] = []
  const customLogger = createLogger('silent')
  const say = (message: string): unknown => log.push(message)
  Object.assign(customLogger, { info: say, warn: say, error: say })
  const job = jobIn(root, { outDir: '', minify: false, options })
  const common: InlineConfig = {
    customLogger,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: { usePolling: true, interval: 50 } },
  }
  const server = await createServer(mergeConfig(mergeConfig(await viteConfig(job), common), config))
  onTestFinished(() => server.close())
  const sent: DevServer['sent'][number][] = []
  const { hot } = server.environments.client
  const send = hot.send.bind(hot) as (payload: unknown) => void
  hot.send = (payload: unknown) => {
    sent.push(payload as DevServer['sent'][number])
    send(payload)
  }
  return { server, log, sent }
}

/** A local service that serves a lock, with the options that reach it. */
export async function localService(
  lock: Lock,
): Promise<{ service: RecordingServer; options: Exclude<Job['options'], undefined> }> {
  const service = await startRecording({ readWorkspace: async () => workspaceFromLock(lock) })
  return { service, options: { baseUrl: service.url, apiKey: LOCAL_KEYS.live } }
}
