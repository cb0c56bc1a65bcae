import { setTimeout as delay } from 'node:timers/promises'
import type { ViteDevServer } from 'vite'
import { sanitizeMessage } from '../../core/text/sanitize.ts'
import { errorMessage } from '../../errors/prompts-error.ts'
import type { Host } from '../host.ts'

/** Milliseconds in which several events of the lock count as one. */
const DEBOUNCE = 5

/** Returns a function that reads the lock again, once for several events. The session says what comes of it. */
export function updateOnce({
  session,
  context,
}: Pick<Host, 'session' | 'context'>): () => Promise<void> {
  let updating: Promise<void> | undefined
  const update = async (): Promise<void> => {
    await delay(DEBOUNCE)
    updating = undefined
    await session.reload(context.notify).catch(() => undefined)
  }
  return () => (updating ??= update())
}

/** Shows in the overlay what a dev server fails of, until that is fixed. */
export function showFailures(server: ViteDevServer, { session, context, closed }: Host): void {
  const { hot } = server.environments.client
  const { plugin } = context.ids
  /** The error in the overlay, so the same error is shown only once. */
  let shown: string | undefined
  session.listen(async (event) => {
    if (event.kind === 'loaded') {
      if (shown !== undefined) hot.send({ type: 'update', updates: [] })
      shown = undefined
      return
    }
    const message = sanitizeMessage(errorMessage(event.error))
    if (message === shown) return
    shown = message
    server.config.logger.error(`[${plugin}] ${message}`, { timestamp: true })
    const { pageUrl } = await import('./prompts-page.ts')
    const { page } = (await session.project(context.notify)).options
    const url = page ? pageUrl(server, context.ids) : undefined
    const linked = url === undefined ? message : `${message}\n\nPrompts: ${url}`
    hot.send({ type: 'error', err: { message: linked, stack: '', plugin } })
  }, closed)
}

/**
 * Watches the lock and the configuration of a dev server. This emits the events that Vite's watcher
 * misses: a change while the server starts, within 50 ms of another one (measured), or of a link's
 * target. The server restarts when the configuration has changed; Vitest reads it again instead.
 */
export async function watchServerSources(
  server: ViteDevServer,
  { session, context, closed }: Host,
): Promise<void> {
  const { config, watcher } = server
  if (config.server.watch === null) return
  const watch = await session.watch(async (what) => {
    if (closed.aborted) return
    if (what === 'options' && process.env['VITEST'] === undefined) {
      const message = 'The prompts configuration changed, restarting server...'
      config.logger.info(`[${context.ids.plugin}] ${message}`, { timestamp: true })
      await server.restart()
    } else {
      const [lock = ''] = await session.lockPaths()
      watcher.emit('change', lock)
    }
  })
  if (closed.aborted) await watch.close()
  else closed.addEventListener('abort', () => void watch.close())
}
