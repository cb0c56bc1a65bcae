import { setTimeout as delay } from 'node:timers/promises'
import type { ViteDevServer } from 'vite'
import { commandOf } from '../core/workspace-command.ts'
import { readDrift } from '../drift.ts'
import { PromptsError } from '../errors.ts'
import type { Session } from './session.ts'

/** Milliseconds in which several events of the lock count as one. */
const TOGETHER = 5

/** Milliseconds after which a lock that can't be read is read again: it may be half written. */
const UNFINISHED = 50

/**
 * Milliseconds from an update to what follows it: to print declarations keeps the server from
 * answering, and browsers fetch the changed modules first. A pull in another terminal writes them
 * by itself.
 */
const FETCHED = 500

/** What a dev server does with a lock that changes. */
export interface LockWatch {
  /**
   * Reads the lock again, once for many events. While that fails, what was served stays and the
   * overlay shows why. The declarations follow.
   */
  settle(): Promise<void>
}

/**
 * Follows the lock of a dev server.
 *
 * @param signal - ends it
 */
export function watchLock(server: ViteDevServer, session: Session, signal: AbortSignal): LockWatch {
  let settling: Promise<void> | undefined
  let isBroken = false
  const fail = (error: unknown): void => {
    if (signal.aborted) return
    isBroken = true
    show(error, session, server)
  }
  const settle = async (): Promise<void> => {
    await delay(TOGETHER)
    settling = undefined
    try {
      await reload(session)
    } catch (error) {
      return fail(error)
    }
    if (isBroken) server.ws.send({ type: 'update', updates: [] })
    isBroken = false
    void follow(server, session, signal).catch(fail)
  }
  return { settle: () => (settling ??= settle()) }
}

async function reload(session: Session): Promise<void> {
  try {
    await session.reload()
  } catch {
    await delay(UNFINISHED)
    await session.reload()
  }
}

/**
 * Brings the declarations up to date, and looks at the lock once more: Vite's watcher passes over
 * a change that comes within 50 ms of the one before (measured).
 */
async function follow(
  { watcher }: ViteDevServer,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  await delay(FETCHED, undefined, { signal, ref: false })
  const shown = await session.snapshot()
  if ((await session.reload()) === shown) await session.declare()
  else watcher.emit('change', (await session.project()).lock.path)
}

function show(error: unknown, { label }: Session, { ws, config }: ViteDevServer): void {
  const message = error instanceof Error ? error.message : String(error)
  config.logger.error(`[${label}] ${message}`, { timestamp: true })
  ws.send({ type: 'error', err: { message, stack: '', plugin: label } })
}

/**
 * Adds `p + enter`, which pulls. The lock then changes on the disk, and its watch does the rest.
 *
 * @param sessions - of all workspaces: a server has one action for a key
 */
export function bindPull(server: ViteDevServer, sessions: readonly Session[]): void {
  const pull = async (): Promise<void> => {
    await Promise.all(sessions.map((session) => pullNow(server, session)))
  }
  server.bindCLIShortcuts({
    customShortcuts: [{ key: 'p', description: 'pull prompts', action: pull }],
  })
}

async function pullNow({ config: { logger } }: ViteDevServer, session: Session): Promise<void> {
  try {
    const { changes, reads } = await (await session.project()).pull()
    const changed = changes.filter(({ kind }) => kind !== 'unchanged').length
    logger.info(`[${session.label}] Pulled: ${changed} changed (${reads} reads).`, {
      timestamp: true,
    })
  } catch (error) {
    logger.error(`[${session.label}] ${error instanceof Error ? error.message : String(error)}`)
  }
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
      server.config.logger.info(`[${session.label}] ${waiting}: ${wayToPull(server, name)}`)
  } catch (error) {
    if (!(error instanceof PromptsError) && !signal.aborted) throw error
  }
}

/** Vite takes keys where it has a server of its own and a terminal; frameworks have neither. */
function wayToPull({ httpServer }: ViteDevServer, name: string): string {
  const takesKeys = httpServer !== null && process.stdin.isTTY && !process.env['CI']
  if (takesKeys) return 'press p + enter to pull'
  return `run \`npx ${commandOf(name, 'pull')}\``
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
