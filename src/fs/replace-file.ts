import { randomUUID } from 'node:crypto'
import { fsync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../errors/prompts-error.ts'

/**
 * On Windows, a file that another program has open can't be replaced, and virus scanners open new
 * files. In milliseconds, about two seconds in total. On other systems the error is final.
 */
export const RETRY_DELAYS: readonly number[] =
  process.platform === 'win32' ? [10, 20, 50, 100, 200, 400, 600, 600] : []

const sync = promisify(fsync)

export interface ReplaceOptions {
  /** For the temporary file instead, if it is on the same file system. Default: that of the file. */
  readonly folder?: string | undefined
  /** Throws if the file is not to be replaced any more. Called at the last moment. */
  readonly assertCurrent?: (() => Promise<void>) | undefined
}

/**
 * Replaces a file atomically: writes a temporary file in the same folder, checks its size, syncs it and
 * renames it. If anything fails or the process ends, the file has the old or the new content. Own code,
 * because write-file-atomic and atomically report success for a truncated file on a full disk.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { folder = dirname(path), assertCurrent }: ReplaceOptions = {},
): Promise<void> {
  const temporary = temporaryPath(path, folder)
  try {
    await writeSynced(temporary, Buffer.from(content), await readMode(path))
    await assertCurrent?.()
    await retryOnBusy(() => rename(temporary, path), RETRY_DELAYS)
  } catch (error) {
    await rm(temporary, { force: true })
    if (errorCode(error) !== 'EXDEV' || folder === dirname(path)) throw error
    await replaceFile(path, content, { assertCurrent })
  }
}

/** A new name for what will be moved to a path. */
export function temporaryPath(path: string, folder: string = dirname(path)): string {
  return join(folder, `.${basename(path)}.prompts-${process.pid}-${randomUUID()}.tmp`)
}

async function writeSynced(path: string, bytes: Buffer, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx')
  try {
    // `open` would apply the umask to the mode.
    if (mode !== undefined) await file.chmod(mode)
    await file.writeFile(bytes)
    const { size } = await file.stat()
    if (size !== bytes.length) throw new Error(`only ${size} of ${bytes.length} bytes were written`)
    // The file handles of Yarn's Plug'n'Play have no `sync()`.
    await sync(file.fd)
  } finally {
    await file.close()
  }
}

/** Returns the permissions of a file; `undefined` if it does not exist. */
async function readMode(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats && stats.mode & 0o7777
}

const TEMPORARY = /^\..+\.prompts-\d+-[\da-f-]{36}\.tmp$/

/**
 * Removes what killed processes left in a folder while they wrote, for any target. Errors are ignored, because it is
 * harmless.
 */
export async function removeAbandonedTemporaries(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (TEMPORARY.test(name) && (await isAbandoned(path)))
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Milliseconds after which the process that made something has died: a lock is written in less than a second. */
export const STALE = 10_000

/**
 * Whether something was left by a process that died. Only its age tells, since a process of another container may
 * have any id. The clock of a network disk may be ahead.
 */
export async function isAbandoned(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > STALE
}

/** Error codes of Windows for a file that another program has open. */
const BUSY: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/**
 * Runs `work`, and runs it again after each delay while another program has the file open.
 *
 * @param delays - in milliseconds; empty if the first error is final
 */
export async function retryOnBusy(
  work: () => Promise<void>,
  delays: readonly number[],
): Promise<void> {
  const [wait, ...later] = delays
  try {
    await work()
  } catch (error) {
    if (wait === undefined || !BUSY.has(errorCode(error))) throw error
    await delay(wait)
    await retryOnBusy(work, later)
  }
}
