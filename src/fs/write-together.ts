import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeSystemError, PromptsError } from '../errors/prompts-error.ts'
import { readBytes, resolveWritable, writeExact } from './files.ts'
import { replaceFile } from './replace-file.ts'

/** A new content for a file of the app. */
export interface FileEdit {
  /** Absolute. */
  readonly path: string
  /** The whole content that the edit was computed from. */
  readonly before: string
  /** The whole new content. */
  readonly after: string
}

/** Where files of a project are written. */
interface Target {
  /** The project's folder. A link out of it is an error. */
  readonly root: string
  /** The folder for temporary files. One that the next pull cleans, since a process may be killed. */
  readonly temporaries: string
}

/**
 * Writes edited files, if none has changed since the edits were computed. If a write fails, the files
 * before it stay written.
 */
export async function writeEdits(edits: readonly FileEdit[], target: Target): Promise<void> {
  for (const { path, before } of edits)
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== before)
      throw new PromptsError('FILE_UNWRITABLE', { path, reason: 'it changed during the pull' })
  for (const { path, after } of edits) await writeExact(path, after, target)
}

/**
 * Runs a function that writes several files. If it fails, each has its old content again, byte for byte,
 * and those that were missing are removed. Every file is tried, even if one can't be restored.
 */
export async function writeTogether<T>(
  paths: readonly string[],
  { root, temporaries }: Target,
  write: () => Promise<T>,
): Promise<T> {
  const targets = await Promise.all(paths.map((path) => resolveWritable(path, root)))
  const contents = await Promise.all(targets.map(readBytes))
  return write().catch(async (error: unknown) => {
    const restoring = targets.map((path, index) => restore(path, contents[index], temporaries))
    const results = await Promise.allSettled(restoring)
    const failed = targets.filter((_, index) => results[index]?.status === 'rejected').toSorted()
    const cause = results.find((result) => result.status === 'rejected')?.reason as unknown
    if (failed.length === 0) throw error
    const reason = describeSystemError(cause)
    throw new PromptsError('FILES_NOT_RESTORED', { paths: failed, reason }, { cause })
  })
}

async function restore(path: string, bytes: Buffer | undefined, folder: string): Promise<void> {
  const current = await readBytes(path)
  if (bytes === undefined) await rm(path, { force: true })
  else if (current === undefined || !bytes.equals(current)) {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, bytes, folder)
  }
}
