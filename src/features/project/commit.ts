import { dirname } from 'node:path'
import { PromptsError } from '../../errors/prompts-error.ts'
import { withFileLock } from '../../fs/file-lock.ts'
import { resolveWritable, type WriteResult } from '../../fs/files.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import { type FileEdit, writeEdits, writeTogether } from '../../fs/write-together.ts'
import { generatedPaths, updateGenerated } from '../generate/generated-files.ts'
import type { Draft } from '../pull/draft.ts'
import type { Apps } from './apps.ts'

/** What is written with a draft. */
export interface CommitOptions {
  /** Edits of the app's files that belong to the new lock. Default: none. */
  readonly edits?: readonly FileEdit[] | undefined
  /** Nothing is written after an abort. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait for the commit of another process. @default 15000 */
  readonly waitTimeout?: number | undefined
  /** The commit of another lock: if it fails, this one is undone. Default: none. */
  readonly also?: (() => Promise<unknown>) | undefined
}

/** What a commit has written. */
export interface CommitResult {
  readonly outcome: WriteResult
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
}

/** A draft, and the project whose lock it is of. */
export interface ProjectDraft extends Pick<CommitOptions, 'edits'> {
  readonly project: {
    commit(draft: Draft, options?: CommitOptions): Promise<CommitResult>
  }
  readonly draft: Draft
}

/**
 * Writes drafts of several locks: all of them or none.
 *
 * @returns one result per draft
 * @throws PromptsError what {@link commit} throws
 */
export async function commitAll(
  [first, ...rest]: readonly ProjectDraft[],
  signal?: AbortSignal,
): Promise<CommitResult[]> {
  if (first === undefined) return []
  const { project, draft, edits } = first
  let others: CommitResult[] = []
  const also = async (): Promise<void> => {
    others = await commitAll(rest, signal)
  }
  return [await project.commit(draft, { edits, signal, also }), ...others]
}

/**
 * Writes a draft: the edits of the app, the lock, the generated files of all apps; all of them or none.
 * Only the lock that the draft was made from is replaced.
 *
 * @throws PromptsError LOCK_CHANGED, LOCK_BUSY, FILE_FOREIGN, FILE_UNWRITABLE, FILES_NOT_RESTORED
 */
export async function commit(
  apps: Apps,
  lock: LockStore,
  draft: Draft,
  { edits = [], signal, waitTimeout, also }: CommitOptions,
): Promise<CommitResult> {
  signal?.throwIfAborted()
  // Links are resolved first, so that the lockfile is next to the real file.
  const [{ root }] = apps
  const path = await resolveWritable(lock.path, root)
  return withFileLock({ path, waitTimeout, signal }, async () => {
    if ((await lock.readHash()) !== draft.base)
      throw new PromptsError('LOCK_CHANGED', { path: lock.path })
    const target = { root, temporaries: dirname(path) }
    const paths = [lock.path, ...apps.flatMap(generatedPaths), ...edits.map((edit) => edit.path)]
    return writeTogether(paths, target, async () => {
      signal?.throwIfAborted()
      await writeEdits(edits, target)
      const outcome = await lock.write(draft.lock)
      const generated = await updateGenerated(apps, draft.lock)
      await also?.()
      return { outcome, generated }
    })
  })
}
