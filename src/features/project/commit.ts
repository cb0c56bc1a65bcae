import { dirname } from 'node:path'
import { PromptsError } from '../../errors/prompts-error.ts'
import { withFileLock } from '../../fs/file-lock.ts'
import { resolveWritable, type WriteResult } from '../../fs/files.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import { type FileEdit, writeEdits, writeTogether } from '../../fs/write-together.ts'
import { applyOutputs, planOutputs } from '../generate/generated-files.ts'
import type { Draft } from '../pull/draft.ts'
import type { Apps } from './apps.ts'

export interface CommitOptions {
  /** Edits of the app's files that belong to the new lock. Default: none. */
  readonly edits?: readonly FileEdit[] | undefined
  /** Nothing is written after an abort. */
  readonly signal?: AbortSignal | undefined
}

export interface CommitResult {
  readonly outcome: WriteResult
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
}

/**
 * Writes a draft: the edits of the app, the generated files of all apps, and last the lock; all of them
 * or none. Everything is printed from the draft before anything is written. Only the lock that the draft
 * was made from is replaced.
 */
export async function commit(
  apps: Apps,
  lock: LockStore,
  draft: Draft,
  { edits = [], signal }: CommitOptions,
): Promise<CommitResult> {
  signal?.throwIfAborted()
  const outputs = await planOutputs(apps, draft.lock, { map: true })
  // Links are resolved first, so that the lockfile is next to the real file.
  const [{ root }] = apps
  const path = await resolveWritable(lock.path, root)
  return withFileLock({ path, signal }, async () => {
    if ((await lock.readHash()) !== draft.base)
      throw new PromptsError('LOCK_CHANGED', { path: lock.path })
    const target = { root, temporaries: dirname(path) }
    const generated = outputs.flatMap(({ files, unneeded }) => [
      ...files.map((file) => file.path),
      ...unneeded,
    ])
    const paths = [lock.path, ...generated, ...edits.map((edit) => edit.path)]
    return writeTogether(paths, target, async () => {
      signal?.throwIfAborted()
      await writeEdits(edits, target)
      const { changed } = await applyOutputs(outputs)
      return { outcome: await lock.write(draft.lock), generated: changed }
    })
  })
}
