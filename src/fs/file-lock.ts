import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, failWriting, fileError, PromptsError } from '../errors/prompts-error.ts'

/** How often a waiting process tries again, in milliseconds. */
const INTERVAL = 50

/** Milliseconds after which the process of a lockfile has died: a lock is written in less than a second. */
const STALE = 10_000

/** Longer than {@link STALE}, so that a process that died makes no other one fail. */
const DEFAULT_WAIT = 15_000

interface FileLockOptions {
  /** The file to lock; the lockfile is created next to it. */
  readonly path: string
  /** Milliseconds to wait for other processes. @default 15000 */
  readonly waitTimeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process holds the lockfile of the same file. A lockfile that is ten seconds
 * old is taken over.
 */
export async function withFileLock<Result>(
  options: FileLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const lockfile = join(dirname(options.path), `.${basename(options.path)}.pulling`)
  await acquire(lockfile, options)
  try {
    return await work()
  } finally {
    await remove(lockfile)
  }
}

async function acquire(
  lockfile: string,
  { path, waitTimeout = DEFAULT_WAIT, signal }: FileLockOptions,
): Promise<void> {
  const end = performance.now() + waitTimeout
  while (!(await create(lockfile, path))) {
    if (await isStale(lockfile)) {
      await remove(lockfile)
      continue
    }
    if (performance.now() > end) {
      const pid = await readFile(lockfile, 'utf8').catch(() => '')
      throw new PromptsError('LOCK_BUSY', { path, lockfile, pid: pid || 'unknown' })
    }
    // A delay rejects with its own error instead of the abort's reason.
    await delay(INTERVAL, undefined, { signal }).finally(() => signal?.throwIfAborted())
  }
}

/** @param path - the file for the error message */
async function create(lockfile: string, path: string): Promise<boolean> {
  try {
    await writeFile(lockfile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw fileError('FILE_UNWRITABLE', path, error)
  }
}

/** The clock of a network disk may be ahead. */
async function isStale(lockfile: string): Promise<boolean> {
  const stats = await stat(lockfile).catch(() => undefined)
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > STALE
}

async function remove(lockfile: string): Promise<void> {
  await rm(lockfile, { force: true }).catch(failWriting(lockfile))
}
