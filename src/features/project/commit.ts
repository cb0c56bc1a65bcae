import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import { withFileLock } from '../../fs/file-lock.ts'
import { resolveWritable, writeExact, type WriteResult } from '../../fs/files.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import {
  type AppliedFile,
  applyOutputs,
  assertReplaceable,
  changedOutputs,
  planOutputs,
  warnOfMissingTypes,
} from '../generate/generated-files.ts'
import type { Draft } from '../pull/draft.ts'
import type { Apps } from './apps.ts'

/** A new content for a file of the app. */
export interface FileEdit {
  /** Absolute. */
  readonly path: string
  /** The whole content that the edit was computed from. */
  readonly before: string
  /** The whole new content. */
  readonly after: string
}

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
 * Writes a draft: the edits of the app, the generated files of all apps, and last the lock. Everything is
 * printed from the draft and checked before anything is written, so a write fails only because of the disk;
 * then its error names the files that were written. Only the lock that the draft was made from is replaced.
 */
export async function commit(
  apps: Apps,
  lock: LockStore,
  draft: Draft,
  { edits = [], signal, warn }: CommitOptions & { readonly warn: (message: string) => void },
): Promise<CommitResult> {
  signal?.throwIfAborted()
  const outputs = await planOutputs(apps, draft.lock, { map: true })
  // Links are resolved first, so that the lockfile is next to the real file.
  const [{ root }] = apps
  const path = await resolveWritable(lock.path, root)
  return withFileLock({ path, signal }, async (isHeld) => {
    // A process that was stopped, such as by a laptop that slept, may find another one in its place.
    const assertCurrent = async (): Promise<void> => {
      if (!isHeld() || (await lock.readHash()) !== draft.base)
        throw new PromptsError('LOCK_CHANGED', { path: lock.path })
    }
    await assertCurrent()
    await assertUnchanged(edits)
    await assertReplaceable(outputs)
    signal?.throwIfAborted()
    const edited: string[] = []
    const generated: AppliedFile[] = []
    try {
      for (const edit of edits) {
        // The next pull removes temporary files beside the lock, if the process is killed.
        await writeExact(edit.path, edit.after, root, { folder: dirname(path), assertCurrent })
        edited.push(edit.path)
      }
      for await (const file of applyOutputs(outputs)) generated.push(file)
      const outcome = await lock.write(draft.lock, assertCurrent)
      warnOfMissingTypes(apps, warn)
      return { outcome, generated: changedOutputs(generated) }
    } catch (error) {
      const changed = generated.filter(({ state }) => state !== 'unchanged')
      throw namingWritten(error, [...edited, ...changed.map((file) => file.path)])
    }
  })
}

/** Fails if a file has changed since its edit was computed. */
async function assertUnchanged(edits: readonly FileEdit[]): Promise<void> {
  for (const { path, before } of edits)
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== before)
      throw new PromptsError('FILE_UNWRITABLE', { path, reason: 'it changed during the pull' })
}

/** The error of a write that failed after others, which stay. */
function namingWritten(error: unknown, written: readonly string[]): unknown {
  if (written.length === 0) return error
  if (isPromptsError(error, 'LOCK_CHANGED'))
    return new PromptsError('LOCK_CHANGED', { ...error.details, written })
  if (!isPromptsError(error, 'FILE_UNWRITABLE')) return error
  return new PromptsError('FILE_UNWRITABLE', { ...error.details, written }, { cause: error.cause })
}
