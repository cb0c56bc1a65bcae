import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode, failWriting, fileError, PromptsError } from '../errors/prompts-error.ts'
import { isAbandoned, RETRY_DELAYS, retryOnBusy, STALE, temporaryPath } from './replace-file.ts'

/** How often a waiting process tries again, in milliseconds. */
const INTERVAL = 50

/** Longer than {@link STALE}, so that a process that died makes no other one fail. */
const DEFAULT_WAIT = STALE + 5_000

interface FileLockOptions {
  /** The file to lock; its mark is created next to it. */
  readonly path: string
  /** Milliseconds to wait for other processes. @default 15000 */
  readonly waitTimeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process holds the mark of the same file. A mark that is ten seconds old is taken over.
 *
 * The mark is a folder with one folder in it, which has the name of its holder. A folder can be moved only to where
 * nothing or an empty folder is, and a name is removed once: so one process gets the mark, however many try, and
 * nobody removes that of another by mistake.
 *
 * @param work - gets a function that says whether this process still has the mark: it may have been stopped
 */
export async function withFileLock<Result>(
  options: FileLockOptions,
  work: (isHeld: () => boolean) => Promise<Result>,
): Promise<Result> {
  const mark = join(dirname(options.path), `.${basename(options.path)}.pulling`)
  const own = `${process.pid}-${randomUUID()}`
  await acquire(mark, own, options)
  try {
    return await work(() => existsSync(join(mark, own)))
  } finally {
    await release(mark, own)
  }
}

async function acquire(
  mark: string,
  own: string,
  { path, waitTimeout = DEFAULT_WAIT, signal }: FileLockOptions,
): Promise<void> {
  const end = performance.now() + waitTimeout
  while (true) {
    // First the holder, so that the age is never that of a mark which was there before it.
    const [holder] = await readdir(mark).catch((): string[] => [])
    if (holder === undefined && (await place(mark, own, path))) return
    if (holder && (await isAbandoned(mark)) && (await takeOver(join(mark, holder)))) continue
    if (performance.now() > end) {
      // Something else in place of a mark has no holder, and stays.
      const pid = /^\d+/.exec(holder ?? '')?.[0] ?? 'unknown'
      throw new PromptsError('LOCK_BUSY', { path, lockfile: mark, pid })
    }
    // A delay rejects with its own error instead of the abort's reason.
    await delay(INTERVAL, undefined, { signal }).finally(() => signal?.throwIfAborted())
  }
}

/** @returns whether this process removed it: not the mark of one that was faster */
async function takeOver(holder: string): Promise<boolean> {
  return rmdir(holder).then(
    () => true,
    () => false,
  )
}

/**
 * Places the mark of this process.
 *
 * @param path - the file for the error message
 * @returns whether no other process was faster
 */
async function place(mark: string, own: string, path: string): Promise<boolean> {
  const prepared = temporaryPath(path)
  try {
    await mkdir(prepared)
    await mkdir(join(prepared, own))
    // Windows replaces no folder, not even an empty one.
    await rmdir(mark).catch(() => undefined)
    await retryOnBusy(() => rename(prepared, mark), existsSync(mark) ? [] : RETRY_DELAYS)
    return true
  } catch (error) {
    await rm(prepared, { recursive: true, force: true })
    if (existsSync(mark) || OCCUPIED.has(errorCode(error))) return false
    throw fileError('FILE_UNWRITABLE', path, error)
  }
}

/** Error codes for a folder that is moved to where something is. It may be gone already. */
const OCCUPIED: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'])

/** Removes the mark of this process, unless it was taken over. */
async function release(mark: string, own: string): Promise<void> {
  await rmdir(join(mark, own)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') failWriting(mark)(error)
  })
  // Another process may have it already.
  await rmdir(mark).catch(() => undefined)
}
