import { randomUUID } from 'node:crypto'
import { fsync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isAbandoned } from './abandoned.ts'
import { retryOnBusy } from './retry-on-busy.ts'

/**
 * Windows replaces no file that another program has open, and virus scanners open each that is new.
 * In milliseconds, about two seconds together; elsewhere a refusal is for good.
 */
const RETRY_DELAYS = [10, 20, 50, 100, 200, 400, 600, 600]

const sync = promisify(fsync)

/**
 * Replaces a file's content by a temporary file in the same folder: written, measured, synced,
 * renamed. Whatever goes wrong, and whenever the process dies, the file holds the old content or
 * the new one. Written by hand, since the libraries report success on a full disk with a cut file.
 *
 * @throws the error of the file system
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const name = `.${basename(path)}.prompts-${process.pid}-${randomUUID()}.tmp`
  const temporary = join(dirname(path), name)
  try {
    await writeSynced(temporary, text, await readMode(path))
    await retryOnBusy(
      () => rename(temporary, path),
      process.platform === 'win32' ? RETRY_DELAYS : [],
    )
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeSynced(path: string, text: string, mode: number | undefined): Promise<void> {
  const bytes = Buffer.from(text, 'utf8')
  const file = await open(path, 'wx')
  try {
    // Not by `open`, which takes away what the umask does.
    if (mode !== undefined) await file.chmod(mode)
    await file.writeFile(bytes)
    const { size } = await file.stat()
    if (size !== bytes.length) throw new Error(`only ${size} of ${bytes.length} bytes were written`)
    // Not `file.sync()`, which Yarn's Plug'n'Play, with a file system of its own, does not have.
    await sync(file.fd)
  } finally {
    await file.close()
  }
}

/** The permissions of the file that is replaced; `undefined` where there is none. */
async function readMode(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats && stats.mode & 0o7777
}

const TEMPORARY = /^\..+\.prompts-(\d+)-[\da-f-]{36}\.tmp$/

/**
 * Removes what killed processes left in a folder, for whatever file: that file may need
 * no more writing, since the workspace can be again as it was. What can't be removed stays, as it
 * is in nobody's way.
 */
export async function removeAbandonedTemporaries(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = TEMPORARY.exec(name)?.[1]
    const path = join(folder, name)
    if (pid !== undefined && (await isAbandoned(path, Number(pid))))
      await rm(path, { force: true }).catch(() => undefined)
  }
}
