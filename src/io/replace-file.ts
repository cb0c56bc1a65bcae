import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAbandoned } from './abandoned.ts'

/**
 * Replaces a file's content by a temporary file in the same folder: written, measured, synced,
 * renamed. Whatever goes wrong, and whenever the process dies, the file holds the old content or
 * the new one. Written by hand, since the libraries report success on a full disk with a cut file
 * (DESIGN section 9).
 *
 * @throws the error of the file system
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await sweepTemporaries(path)
  const temporary = join(dirname(path), `${temporaryPrefix(path)}${process.pid}-${randomUUID()}`)
  try {
    await writeSynced(temporary, text, await modeOf(path))
    await rename(temporary, path)
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
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The permissions of the file that is replaced; `undefined` where there is none. */
async function modeOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats && stats.mode & 0o7777
}

function temporaryPrefix(path: string): string {
  return `.${basename(path)}.tmp-`
}

/** Removes what a killed process left beside the file (FAULTS 56). */
async function sweepTemporaries(path: string): Promise<void> {
  const folder = dirname(path)
  const prefix = temporaryPrefix(path)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const temporary = join(folder, name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (await isAbandoned(temporary, pid)) await rm(temporary, { force: true })
  }
}
