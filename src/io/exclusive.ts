import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PromptsError } from '../errors.ts'
import { isAbandoned } from './abandoned.ts'
import { reasonOf } from './files.ts'

/** How often a waiting process looks whether it is its turn, in milliseconds. */
const INTERVAL = 50

/** What is worked on alone, and how long to wait for it. */
export interface ExclusiveClaim {
  /** The file that the work is about; a mark beside it says who works on it. */
  readonly path: string
  /** Milliseconds to wait for another process. */
  readonly patience: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process works on the same file: one after the other, by a mark that
 * holds the worker's process id. The mark of a dead process is taken over (FAULTS 57).
 *
 * @throws PromptsError LOCK_BUSY when the other is not done in time, FILE_UNWRITABLE when no mark
 *   can be made; the signal's reason; and what `work` throws
 */
export async function exclusively<Result>(
  claim: ExclusiveClaim,
  work: () => Promise<Result>,
): Promise<Result> {
  const mark = join(dirname(claim.path), `.${basename(claim.path)}.pulling`)
  await waitForMark(mark, claim)
  try {
    await removeOld(takeoverOf(mark))
    return await work()
  } finally {
    await rm(mark, { force: true })
  }
}

async function waitForMark(
  mark: string,
  { path, patience, signal }: ExclusiveClaim,
): Promise<void> {
  const end = performance.now() + patience
  while (!(await tryToMark(mark, path))) {
    const pid = await holderOf(mark)
    if (pid === undefined) continue
    if (await isLeftBehind(mark, pid)) await takeAway(mark, pid)
    else if (performance.now() > end) throw new PromptsError('LOCK_BUSY', { path, pid: `${pid}` })
    else await delay(INTERVAL, undefined, { signal })
  }
}

async function tryToMark(mark: string, path: string): Promise<boolean> {
  try {
    await writeFile(mark, `${process.pid}`, { flag: 'wx' })
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw new PromptsError('FILE_UNWRITABLE', { path, reason: reasonOf(cause) }, { cause })
  }
}

/** How old a mark without a process id must be to be left behind, in milliseconds. */
const UNFINISHED = 2_000

/** A mark is made before it is filled: an empty one is young, or of a process killed in between. */
async function isLeftBehind(mark: string, pid: number): Promise<boolean> {
  return Number.isNaN(pid) ? isOld(mark) : isAbandoned(mark, pid)
}

/** The process behind a mark, NaN before it is filled; `undefined` when the mark is gone again. */
async function holderOf(mark: string): Promise<number | undefined> {
  const text = await readFile(mark, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

/**
 * Takes a dead process's mark away. Only who holds the right to do so may, and looks again first:
 * otherwise one that has looked before could take the mark of a living process that came after.
 */
async function takeAway(mark: string, pid: number): Promise<void> {
  const right = takeoverOf(mark)
  const held = await writeFile(right, '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
  if (!held) return removeOld(right)
  try {
    const same = Object.is(await holderOf(mark), pid)
    if (same && (await isLeftBehind(mark, pid))) await rm(mark, { force: true })
  } finally {
    await rm(right, { force: true })
  }
}

/** The right to take a mark away. */
function takeoverOf(mark: string): string {
  return `${mark}-takeover`
}

/** Nobody holds the right for long: an old one is of a process that was killed just then. */
async function removeOld(right: string): Promise<void> {
  if (await isOld(right)) await rm(right, { force: true })
}

async function isOld(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && stats.mtimeMs < Date.now() - UNFINISHED
}
