import { stat } from 'node:fs/promises'
import { printLock } from '../core/lock.ts'
import { type LockSource, parseLock } from '../core/parse-lock.ts'
import type { Lock } from '../core/prompt.ts'
import { DEFAULT_NAME } from '../core/workspace-name.ts'
import { sha256 } from './digest.ts'
import { readText, writeText, type WriteOutcome } from './files.ts'

/** The port to the committed snapshot. */
export interface LockFile extends LockSource {
  /**
   * A mark that changes when the file does; cheaper than reading it.
   *
   * @returns `undefined` when there is no such file
   */
  stamp(): Promise<string | undefined>
  /**
   * @returns `undefined` when there is no lock
   * @throws PromptsError FILE_UNREADABLE, or what {@link parseLock} finds
   */
  read(): Promise<Lock | undefined>
  /** @throws PromptsError FILE_UNWRITABLE; the lock is as it was */
  write(lock: Lock): Promise<WriteOutcome>
}

/**
 * The lock at a path of a project.
 *
 * @param workspace - name of the workspace
 */
export function lockFile(path: string, root: string, workspace: string = DEFAULT_NAME): LockFile {
  return {
    path,
    workspace,
    async stamp() {
      const stats = await stat(path).catch(() => undefined)
      return stats && `${stats.ino}:${stats.size}:${stats.mtimeMs}`
    },
    async read() {
      const text = await readText(path)
      if (text === undefined) return undefined
      const parsed = parseLock(text, { path, workspace }, sha256)
      if (parsed.kind === 'fault') throw parsed.error
      return parsed.lock
    },
    write(lock) {
      return writeText(path, printLock(lock, sha256), root)
    },
  }
}
