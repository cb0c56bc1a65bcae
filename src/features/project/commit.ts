import type { ResolvedOptions } from '../../config/resolved-options.ts'
import type { Lock } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { type FileEdit, writeEdits } from '../../fs/edit-files.ts'
import { withFileLock } from '../../fs/file-lock.ts'
import { resolveWritable, type WriteResult } from '../../fs/files.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import { createRollback } from '../../fs/rollback.ts'
import { generatedPaths } from '../generate/generated-files.ts'
import type { Draft } from '../pull/draft.ts'

/** What is written with a draft. */
export interface CommitOptions {
  /** Edits of the app's files that belong to the new lock. Default: none. */
  readonly edits?: readonly FileEdit[] | undefined
  /** Nothing is written after an abort. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait for the commit of another process. @default 300000 */
  readonly waitTimeout?: number | undefined
}

/** What a commit has written. */
export interface CommitResult {
  readonly outcome: WriteResult
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
}

/** What a commit writes to. */
interface CommitTarget {
  readonly options: ResolvedOptions
  readonly lock: LockStore
  /** Updates the generated files after the lock. */
  readonly writeGenerated: (lock: Lock) => Promise<readonly string[]>
}

/**
 * Writes a draft: the edits of the app, the lock, the generated files; all of them or none. Only the
 * lock that the draft was made from is replaced.
 *
 * @throws PromptsError LOCK_CHANGED, LOCK_BUSY, FILE_FOREIGN, FILE_UNWRITABLE, FILES_NOT_RESTORED
 */
export async function commit(
  { options, lock, writeGenerated }: CommitTarget,
  draft: Draft,
  { edits = [], signal, waitTimeout }: CommitOptions,
): Promise<CommitResult> {
  signal?.throwIfAborted()
  // Links are resolved first, so that the lockfile is next to the real file.
  const path = await resolveWritable(options.lock, options.root)
  return withFileLock({ path, waitTimeout, signal }, async () => {
    if ((await lock.readHash()) !== draft.base)
      throw new PromptsError('LOCK_CHANGED', { path: lock.path })
    const rollback = createRollback(options.root)
    await rollback.keep([lock.path, ...generatedPaths(options), ...edits.map((edit) => edit.path)])
    signal?.throwIfAborted()
    try {
      await writeEdits(edits, options.root)
      const outcome = await lock.write(draft.lock)
      return { outcome, generated: await writeGenerated(draft.lock) }
    } catch (error) {
      await rollback.restore()
      throw error
    }
  })
}
