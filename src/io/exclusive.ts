import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PromptsError } from '../errors.ts'
import { isAbandoned } from './abandoned.ts'
import { codeOf } from './code-of.ts'
import { reasonOf } from './files.ts'

/** How often a waiting process looks whether it is its turn, in milliseconds. */
const INTERVAL = 50

/** How often a worker renews its mark, in milliseconds. */
const BEAT = 1_000

/**
 * A mark that was not renewed for so many milliseconds is left behind, even where a process has
 * its number: numbers are used again, and those of another machine or container say nothing here.
 * Longer than printing thousands of prompts keeps a worker from renewing it.
 */
const SILENT = 20_000

/** How old a mark or right without a holder must be to be left behind, in milliseconds. */
const UNFINISHED = 2_000

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
 * names the worker. The mark of a dead process is taken over (FAULTS 57).
 *
 * @throws PromptsError LOCK_BUSY when the other is not done in time, FILE_UNWRITABLE when no mark
 *   can be made or taken away; the signal's reason; and what `work` throws
 */
export async function exclusively<Result>(
  claim: ExclusiveClaim,
  work: () => Promise<Result>,
): Promise<Result> {
  const mark = join(dirname(claim.path), `.${basename(claim.path)}.pulling`)
  await waitForMark(mark, claim)
  const beat = setInterval(() => renew(mark), BEAT).unref()
  try {
    await removeOld(takeoverOf(mark))
    return await work()
  } finally {
    clearInterval(beat)
    await rm(mark, { force: true })
  }
}

/** What can't be renewed is taken over by the next who waits, which harms nobody. */
function renew(mark: string): void {
  const now = new Date()
  utimes(mark, now, now).catch(() => undefined)
}

async function waitForMark(
  mark: string,
  { path, patience, signal }: ExclusiveClaim,
): Promise<void> {
  const end = performance.now() + patience
  while (!(await tryToMark(mark, path))) {
    const text = await readMark(mark)
    if (text === undefined) continue
    if (await isLeftBehind(mark, text)) await takeAway(mark, text)
    else if (performance.now() > end)
      throw new PromptsError('LOCK_BUSY', { path, pid: nameOf(text) })
    else await delay(INTERVAL, undefined, { signal })
  }
}

async function tryToMark(mark: string, path: string): Promise<boolean> {
  try {
    await writeFile(mark, `${process.pid} ${hostname()}`, { flag: 'wx' })
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw new PromptsError('FILE_UNWRITABLE', { path, reason: reasonOf(cause) }, { cause })
  }
}

/** What a mark says: `''` before it is filled, `undefined` when it is gone again. */
async function readMark(mark: string): Promise<string | undefined> {
  return readFile(mark, 'utf8').catch((error: unknown) =>
    codeOf(error) === 'ENOENT' ? undefined : '',
  )
}

/** Who holds a mark; `undefined` where it does not say so. */
function holderOf(text: string): { readonly pid: number; readonly host: string } | undefined {
  const [, pid, host] = /^(\d+) (.+)$/.exec(text) ?? []
  return pid === undefined || host === undefined ? undefined : { pid: Number(pid), host }
}

/** A mark is made before it is filled: an empty one is young, or of a process killed in between. */
async function isLeftBehind(mark: string, text: string): Promise<boolean> {
  const holder = holderOf(text)
  if (holder === undefined) return isOlder(mark, UNFINISHED)
  const isDead = holder.host === hostname() && (await isAbandoned(mark, holder.pid))
  return isDead || isOlder(mark, SILENT)
}

/** A number says nothing of a process on another machine or in another container. */
function nameOf(text: string): string {
  const holder = holderOf(text)
  if (holder === undefined) return 'unknown'
  const { pid, host } = holder
  return host === hostname() ? `${pid}` : `${pid} on ${host}`
}

/**
 * Takes a dead process's mark away. Only who holds the right to do so may, and looks again first:
 * otherwise one that has looked before could take the mark of a living process that came after.
 */
async function takeAway(mark: string, text: string): Promise<void> {
  const right = takeoverOf(mark)
  const held = await writeFile(right, '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
  if (!held) return removeOld(right)
  try {
    const same = (await readMark(mark)) === text
    if (same && (await isLeftBehind(mark, text))) await remove(mark)
  } finally {
    await rm(right, { force: true })
  }
}

async function remove(mark: string): Promise<void> {
  try {
    await rm(mark, { force: true })
  } catch (cause) {
    throw new PromptsError('FILE_UNWRITABLE', { path: mark, reason: reasonOf(cause) }, { cause })
  }
}

/** The right to take a mark away. */
function takeoverOf(mark: string): string {
  return `${mark}-takeover`
}

/** Nobody holds the right for long: an old one is of a process that was killed just then. */
async function removeOld(right: string): Promise<void> {
  if (await isOlder(right, UNFINISHED)) await rm(right, { force: true })
}

async function isOlder(path: string, milliseconds: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && stats.mtimeMs < Date.now() - milliseconds
}
