import { rm } from 'node:fs/promises'
import { PromptsError } from '../errors/prompts-error.ts'
import { describeSystemError } from './file-error.ts'
import { readBytes, resolveWritable } from './files.ts'
import { replaceFile } from './replace-file.ts'

/** Remembers files, so that they can be restored if a later write fails. */
export interface Rollback {
  /**
   * Remembers the content of files before they are written. A missing file is remembered too.
   *
   * @throws PromptsError FILE_UNREADABLE; what {@link resolveWritable} throws
   */
  keep(paths: readonly string[]): Promise<void>
  /**
   * Gives every remembered file its content again, byte for byte, and removes those that were missing.
   *
   * @throws PromptsError FILES_NOT_RESTORED, after every file was tried
   */
  restore(): Promise<void>
}

/**
 * Creates a memory of files that are written together.
 *
 * @param root - the project's folder; see {@link resolveWritable}
 */
export function createRollback(root: string): Rollback {
  const contents = new Map<string, Buffer | undefined>()
  const keep = async (path: string): Promise<void> => {
    const target = await resolveWritable(path, root)
    if (!contents.has(target)) contents.set(target, await readBytes(target))
  }
  return {
    async keep(paths) {
      await Promise.all(paths.map(keep))
    },
    async restore() {
      const failed = new Map<string, unknown>()
      await Promise.all(
        [...contents].map(([path, bytes]) =>
          restoreFile(path, bytes).catch((cause: unknown) => failed.set(path, cause)),
        ),
      )
      if (failed.size === 0) return
      const paths = [...failed.keys()].toSorted()
      const [cause] = failed.values()
      const reason = describeSystemError(cause)
      throw new PromptsError('FILES_NOT_RESTORED', { paths, reason }, { cause })
    },
  }
}

async function restoreFile(path: string, bytes: Buffer | undefined): Promise<void> {
  const current = await readBytes(path)
  if (bytes === undefined) await rm(path, { force: true })
  else if (current === undefined || !bytes.equals(current)) await replaceFile(path, bytes)
}
