import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PromptsError } from '../errors/prompts-error.ts'
import { isAbandoned } from './abandoned.ts'
import { errorCode } from '../errors/error-code.ts'
import { describeSystemError } from './files.ts'

/** How often a waiting process checks the lockfile, in milliseconds. */
const INTERVAL = 50

/** How often the holder renews its lockfile, in milliseconds. */
const RENEWAL = 1_000

/**
 * A lockfile whose time differs from now by more milliseconds is stale, even if a process has the
 * id in it: ids are reused, those of another machine mean nothing here, and clocks are set back.
 * Printing thousands of prompts keeps a holder from renewing for less than this.
 */
const STALE = 20_000

/** The same for a lockfile without an id: it is created before it is written. */
const STALE_EMPTY = 2_000

/** A holder renews its lockfile while it works, so waiting for it is not in vain. */
const DEFAULT_WAIT = 5 * 60_000

/** What to lock, and how long to wait for it. */
export interface FileLockOptions {
  /** The file that the work is about; the lockfile is created next to it. */
  readonly path: string
  /** Milliseconds to wait for another process. @default 300000 */
  readonly waitTimeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process works on the same file. The lockfile of a process that has
 * died is taken over.
 *
 * @throws PromptsError LOCK_BUSY when the other process is not done in time, FILE_UNWRITABLE when
 *   the lockfile can't be created or removed; the signal's reason; and what `work` throws
 */
export async function withFileLock<Result>(
  options: FileLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const lockfile = join(dirname(options.path), `.${basename(options.path)}.pulling`)
  await acquire(lockfile, options)
  await removeStale(guardOf(lockfile))
  const renewal = setInterval(() => renew(lockfile), RENEWAL).unref()
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await rm(lockfile, { force: true })
  }
}

/** A lockfile that can't be renewed becomes stale, which harms nobody. */
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
      const holder = await readHolder(lockfile)
      throw new PromptsError('LOCK_BUSY', {
        path,
        lockfile,
        pid: holder.replace(' ', ' on ') || 'unknown',
      })
    }
    await delay(INTERVAL, undefined, { signal })
  }
}

/** @param path - the file that an error is about */
async function create(lockfile: string, path: string): Promise<boolean> {
  try {
    await writeFile(lockfile, `${process.pid} ${hostname()}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw unwritable(path, error)
  }
}

/**
 * Removes a stale lockfile. One process at a time may, and checks again first: otherwise a process
 * that checked earlier could remove the lockfile of the next holder.
 */
async function takeOver(lockfile: string, path: string): Promise<boolean> {
  const guard = guardOf(lockfile)
  await removeStale(guard)
  if (!(await create(guard, path))) return false
  try {
    await removeStale(lockfile)
    return true
  } catch (error) {
    throw unwritable(lockfile, error)
  } finally {
    await rm(guard, { force: true })
  }
}

function guardOf(lockfile: string): string {
  return `${lockfile}-takeover`
}

async function removeStale(lockfile: string): Promise<void> {
  if (await isStale(lockfile)) await rm(lockfile, { force: true })
}

function unwritable(path: string, cause: unknown): PromptsError {
  return new PromptsError(
    'FILE_UNWRITABLE',
    { path, reason: describeSystemError(cause) },
    { cause },
  )
}

async function isStale(lockfile: string): Promise<boolean> {
  const stats = await stat(lockfile).catch(() => undefined)
  if (stats === undefined) return false
  const age = Math.abs(Date.now() - stats.mtimeMs)
  const [pid, host] = (await readHolder(lockfile)).split(' ')
  if (host === undefined) return age > STALE_EMPTY
  return age > STALE || (host === hostname() && (await isAbandoned(lockfile, Number(pid))))
}

/** Process id and host name; empty when nothing is written yet. */
async function readHolder(lockfile: string): Promise<string> {
  return readFile(lockfile, 'utf8').catch(() => '')
}
