import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PromptsError } from '../errors/prompts-error.ts'
import { isAbandoned } from './replace-file.ts'
import { errorCode } from '../errors/error-code.ts'
import { fileError } from './file-error.ts'

/** How often a waiting process checks the lockfile, in milliseconds. */
const INTERVAL = 50

/** How often the holder renews its lockfile, in milliseconds. */
const RENEWAL = 1_000

/**
 * Milliseconds after which a lockfile is stale if its holder does not renew it. The process id in it
 * is not enough: ids are reused, and those of another machine mean nothing here. Printing thousands
 * of prompts blocks renewal for less than this.
 */
const STALE = 20_000

/** The same for an empty lockfile: it is created before it is written. */
const STALE_EMPTY = 2_000

/** Long, because a holder that renews its lockfile is alive and will finish. */
const DEFAULT_WAIT = 5 * 60_000

/** Options of {@link withFileLock}. */
export interface FileLockOptions {
  /** The file to lock; the lockfile is created next to it. */
  readonly path: string
  /** Milliseconds to wait for another process. @default 300000 */
  readonly waitTimeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process holds the lockfile of the same file. The lockfile of a process
 * that has ended is taken over.
 *
 * @throws PromptsError LOCK_BUSY if the other process does not finish in time, FILE_UNWRITABLE if
 *   the lockfile can't be created or removed; the signal's reason; errors of `work`
 */
export async function withFileLock<Result>(
  options: FileLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const lockfile = join(dirname(options.path), `.${basename(options.path)}.pulling`)
  await acquire(lockfile, options)
  const renewal = setInterval(() => renew(lockfile), RENEWAL).unref()
  try {
    await removeStale(guardOf(lockfile))
    return await work()
  } finally {
    clearInterval(renewal)
    await remove(lockfile)
  }
}

/** If renewal fails, the lockfile becomes stale, which is harmless. */
function renew(lockfile: string): void {
  const now = new Date()
  utimes(lockfile, now, now).catch(() => undefined)
}

async function acquire(
  lockfile: string,
  { path, waitTimeout = DEFAULT_WAIT, signal }: FileLockOptions,
): Promise<void> {
  const end = performance.now() + waitTimeout
  while (!(await create(lockfile, path))) {
    if ((await isStale(lockfile)) && (await takeOver(lockfile, path))) continue
    if (performance.now() > end) {
      const pid = (await readHolder(lockfile)).replace(' ', ' on ') || 'unknown'
      throw new PromptsError('LOCK_BUSY', { path, lockfile, pid })
    }
    // A delay rejects with its own error instead of the abort's reason.
    await delay(INTERVAL, undefined, { signal }).finally(() => signal?.throwIfAborted())
  }
}

/** @param path - the file for the error message */
async function create(lockfile: string, path: string): Promise<boolean> {
  try {
    await writeFile(lockfile, `${process.pid} ${hostname()}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw fileError('FILE_UNWRITABLE', path, error)
  }
}

/**
 * Removes a stale lockfile. Only one process at a time may, and it checks again first. Otherwise a
 * process that checked earlier could remove the lockfile of the next holder.
 */
async function takeOver(lockfile: string, path: string): Promise<boolean> {
  const guard = guardOf(lockfile)
  await removeStale(guard)
  if (!(await create(guard, path))) return false
  try {
    await removeStale(lockfile)
    return true
  } finally {
    await remove(guard)
  }
}

function guardOf(lockfile: string): string {
  return `${lockfile}-takeover`
}

async function removeStale(lockfile: string): Promise<void> {
  if (await isStale(lockfile)) await remove(lockfile)
}

async function remove(lockfile: string): Promise<void> {
  try {
    await rm(lockfile, { force: true })
  } catch (error) {
    throw fileError('FILE_UNWRITABLE', lockfile, error)
  }
}

async function isStale(lockfile: string): Promise<boolean> {
  const stats = await stat(lockfile).catch(() => undefined)
  if (stats === undefined) return false
  const age = Math.abs(Date.now() - stats.mtimeMs)
  const [pid, host] = (await readHolder(lockfile)).split(' ')
  if (host === undefined) return age > STALE_EMPTY
  return age > STALE || (host === hostname() && (await isAbandoned(lockfile, Number(pid))))
}

/** Process id and host name; empty if nothing is written yet. */
async function readHolder(lockfile: string): Promise<string> {
  return readFile(lockfile, 'utf8').catch(() => '')
}
