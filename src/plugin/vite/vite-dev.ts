import { setTimeout as delay } from 'node:timers/promises'
import type { ViteDevServer } from 'vite'
import { sanitizeMessage } from '../../core/text/sanitize.ts'
import { errorMessage } from '../../errors/prompts-error.ts'
import type { Session } from '../session.ts'

/** Milliseconds in which several events of the lock count as one. */
const DEBOUNCE = 5

/** Milliseconds before an unreadable lock is read again, since it may be half written. */
const RETRY_DELAY = 50

/**
 * Milliseconds between an update and the declarations. Printing declarations blocks the server, and
 * browsers should fetch the changed modules first.
 */
const DECLARATIONS_DELAY = 500

/**
 * Watches the lock of a dev server.
 *
 * @param page - returns the address of the page, if there is one
 * @param signal - stops it when aborted
 * @returns a function that reads the lock again, once for several events. If that fails, the last
 *   snapshot stays and the overlay shows the error. The declarations are updated afterwards.
 */
export function watchLock(
  server: ViteDevServer,
  session: Session,
  { page, signal }: { readonly page: () => string | undefined; readonly signal: AbortSignal },
): () => Promise<void> {
  const { hot } = server.environments.client
  let updating: Promise<void> | undefined
  let writing: Promise<void> | undefined
  /** The error in the overlay, so the same error is shown only once. */
  let overlay: string | undefined
  const fail = (error: unknown): void => {
    const message = sanitizeMessage(errorMessage(error))
    if (signal.aborted || message === overlay) return
    overlay = message
    const { label } = session
    server.config.logger.error(`[${label}] ${message}`, { timestamp: true })
    const url = page()
    const linked = url === undefined ? message : `${message}\n\nPrompts: ${url}`
    hot.send({ type: 'error', err: { message: linked, stack: '', plugin: label } })
  }
  const writeDeclarations = async (): Promise<void> => {
    await delay(DECLARATIONS_DELAY, undefined, { signal, ref: false })
    writing = undefined
    await session.writeDeclarations()
  }
  const update = async (): Promise<void> => {
    await delay(DEBOUNCE)
    updating = undefined
    try {
      await reload(session)
    } catch (error) {
      return fail(error)
    }
    if (overlay !== undefined) hot.send({ type: 'update', updates: [] })
    overlay = undefined
    writing ??= writeDeclarations().catch(fail)
  }
  return () => (updating ??= update())
}

async function reload(session: Session): Promise<void> {
  try {
    await session.reload()
  } catch {
    await delay(RETRY_DELAY)
    await session.reload()
  }
}

/**
 * Watches the lock and the configuration of a dev server. This emits the events that Vite's watcher
 * misses: a change while the server starts, within 50 ms of another one (measured), or of a link's
 * target. The server restarts when the configuration has changed; Vitest reads it again instead.
 *
 * @param signal - stops it when aborted
 */
export async function watchServerSources(
  server: ViteDevServer,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  const { config, watcher } = server
  if (config.server.watch === null) return
  const watch = await session.watch(async (what) => {
    if (signal.aborted) return
    if (what === 'options' && process.env['VITEST'] === undefined) {
      const message = 'The prompts configuration changed, restarting server...'
      config.logger.info(`[${session.label}] ${message}`, { timestamp: true })
      await server.restart()
    } else {
      watcher.emit('change', (await session.project()).lock.path)
    }
  })
  if (signal.aborted) await watch.close()
  else signal.addEventListener('abort', () => void watch.close())
}
