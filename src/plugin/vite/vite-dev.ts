import { setTimeout as delay } from 'node:timers/promises'
import type { ViteDevServer } from 'vite'
import { sanitizeMessage } from '../../core/text/sanitize.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { readDrift } from '../../features/diff/drift.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { watchSources } from '../watch-sources.ts'
import type { Session } from '../session.ts'

/** Milliseconds in which several events of the lock count as one. */
const DEBOUNCE = 5

/** Milliseconds after which a lock that can't be read is read again: it may be half written. */
const RETRY_DELAY = 50

/**
 * Milliseconds from an update to what follows it: to print declarations keeps the server from
 * answering, and browsers fetch the changed modules first. A pull in another terminal writes them
 * by itself.
 */
const DECLARATIONS_DELAY = 500

/** What a dev server does with a lock that changes. */
export interface LockWatch {
  /**
   * Reads the lock again, once for many events. While that fails, what was served stays and the
   * overlay shows why. The declarations are updated afterwards.
   */
  update(): Promise<void>
}

/**
 * Follows the lock of a dev server.
 *
 * @param signal - ends it
 */
export function watchLock(server: ViteDevServer, session: Session, signal: AbortSignal): LockWatch {
  let updating: Promise<void> | undefined
  let writing: Promise<void> | undefined
  /** The fault that is shown, once for all events and tries that find it. */
  let shown: string | undefined
  const fail = (error: unknown): void => {
    const message = messageOf(error)
    if (signal.aborted || message === shown) return
    shown = message
    show(message, session, server)
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
    if (shown !== undefined) server.ws.send({ type: 'update', updates: [] })
    shown = undefined
    writing ??= writeDeclarations().catch(fail)
  }
  return { update: () => (updating ??= update()) }
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
 * Follows the files behind what a dev server serves, and makes what Vite's watcher has missed: a
 * change while the server starts, one within 50 ms of another (measured), one behind a link. When
 * the options have changed, the server starts again; Vitest reads them in place.
 *
 * @param signal - ends it
 */
export async function watchServerSources(
  server: ViteDevServer,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  const { config, watcher } = server
  if (config.server.watch === null) return
  const watch = await watchSources(session, async (what) => {
    if (signal.aborted) return
    if (what === 'options' && process.env['VITEST'] === undefined) {
      const message = 'The options of the prompts have changed: restarting the server…'
      config.logger.info(`[${session.label}] ${message}`, { timestamp: true })
      await server.restart()
    } else {
      watcher.emit('change', (await session.project()).lock.path)
    }
  })
  if (signal.aborted) await watch.close()
  else signal.addEventListener('abort', () => void watch.close())
}

function messageOf(error: unknown): string {
  return sanitizeMessage(error instanceof Error ? error.message : String(error))
}

function show(message: string, { label }: Session, { ws, config }: ViteDevServer): void {
  config.logger.error(`[${label}] ${message}`, { timestamp: true })
  ws.send({ type: 'error', err: { message, stack: '', plugin: label } })
}

/**
 * Tells what is waiting in the service, by one list call in the background. Says nothing where
 * there is no key or address, and where the service gives no answer: nothing depends on it.
 */
export async function announceUpdates(
  server: ViteDevServer,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  try {
    const project = await session.project()
    const { name, apiKey, baseUrl, pull } = project.options
    if (apiKey === undefined || baseUrl === undefined || pull === 'never') return
    const { lock } = await session.snapshot()
    const { drift } = await readDrift(project, lock, { signal })
    const count = (wanted: string): number => drift.filter(({ kind }) => kind === wanted).length
    const waiting = describe(count('changed'), count('added'), count('removed'))
    if (waiting !== '')
      server.config.logger.info(`[${session.label}] ${waiting}: ${pullHint(server, name)}`)
  } catch (error) {
    if (!(error instanceof PromptsError) && !signal.aborted) throw error
  }
}

/** Vite takes keys where it has a server of its own and a terminal; frameworks have neither. */
function pullHint({ httpServer }: ViteDevServer, name: string): string {
  const takesKeys = httpServer !== null && process.stdin.isTTY && !process.env['CI']
  if (takesKeys) return 'press p + enter to pull'
  return `run \`npx ${formatCommand(name, 'pull')}\``
}

function describe(changed: number, added: number, removed: number): string {
  const parts = [
    changed > 0 && `${prompts(changed)} newer ${changed === 1 ? 'version' : 'versions'}`,
    added > 0 && `${added} new`,
    removed > 0 && `${removed} removed`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

function prompts(count: number): string {
  return count === 1 ? '1 prompt has a' : `${count} prompts have`
}
