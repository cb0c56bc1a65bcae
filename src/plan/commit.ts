import { access, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { printLock } from '../core/lock/print-lock.ts'
import { failWriting, isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import { withFileLock } from '../fs/file-lock.ts'
import { sha256 } from '../fs/files.ts'
import { resolveWritable, writeExact, type WriteState } from '../fs/write-file.ts'
import type { LockStore } from '../fs/lock-store.ts'
import {
  type AppliedFile,
  applyOutputs,
  assertOwnFiles,
  assertReplaceable,
  changedOutputs,
  planOutputs,
  staleOutputs,
  warnOfMissingTypes,
} from '../output/generated-files.ts'
import type { FileEdit, Plan } from './plan.ts'
import type { Apps } from './apps.ts'

interface CommitOptions {
  /** Nothing is written after an abort. */
  readonly signal?: AbortSignal | undefined
  readonly warn: (message: string) => void
}

/**
 * Writes a plan: the edits of the app, the generated files of all apps, and last the lock. Everything is printed from
 * the plan and checked before anything is written, so a write fails only because of the disk; then its error names
 * the files that were written. Only the lock that the plan was made from is replaced.
 *
 * @returns the absolute paths of what was written: the lock, the declarations, the folder `outDir`, edited files
 */
export async function commit(
  apps: Apps,
  lock: LockStore,
  { base, after, edits }: Plan,
  { signal, warn }: CommitOptions,
): Promise<string[]> {
  signal?.throwIfAborted()
  const text = printLock(after, sha256)
  const outputs = await planOutputs(apps, after, text)
  const [{ root }] = apps
  return whileCurrent({ lock, root, base, signal }, async (assertCurrent, path) => {
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
      const state = await lock.write(text, assertCurrent)
      warnOfMissingTypes(apps, warn)
      const pinned = state === 'written' ? [lock.path] : []
      return [...pinned, ...changedOutputs(generated), ...edited]
    } catch (error) {
      const changed = generated.filter(({ state }) => state !== 'unchanged')
      throw namingWritten(error, [...edited, ...changed.map((file) => file.path)])
    }
  })
}

/** Sorts the lock that was read and needs it. Whole entries in the wrong order need no key. */
export async function sortLock(
  { lock, options: { root } }: { readonly lock: LockStore; readonly options: Apps[0] },
  { base, after }: Plan,
  signal: AbortSignal,
): Promise<WriteState> {
  const text = printLock(after, sha256)
  if (sha256(text) === base) return 'unchanged'
  const request = { lock, root, base, signal }
  return whileCurrent(request, (assertCurrent) => lock.write(text, assertCurrent))
}

interface Replacement {
  readonly lock: LockStore
  readonly root: string
  /** Hash of the lock that may be replaced. */
  readonly base: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Runs `write` while no other process writes the lock, if it is still the one that was read.
 *
 * @throws PromptsError FILE_CHANGED
 */
async function whileCurrent<Result>(
  { lock, root, base, signal }: Replacement,
  write: (assertCurrent: () => Promise<void>, path: string) => Promise<Result>,
): Promise<Result> {
  // Links are resolved first, so that the lockfile is next to the real file.
  const path = await resolveWritable(lock.path, root)
  return withFileLock({ path, signal }, async (isHeld) => {
    // A process that was stopped, such as by a laptop that slept, may find another one in its place.
    const assertCurrent = async (): Promise<void> => {
      if (!isHeld() || (await lock.readHash()) !== base)
        throw new PromptsError('FILE_CHANGED', { path: lock.path })
    }
    await assertCurrent()
    return write(assertCurrent, path)
  })
}

/** The paths of what {@link commit} would write; the lock is always one of them. */
export async function preview(apps: Apps, lock: LockStore, plan: Plan): Promise<string[]> {
  const outputs = await planOutputs(apps, plan.after)
  return [lock.path, ...(await staleOutputs(outputs)), ...plan.edits.map(({ path }) => path)]
}

/** Fails if a pull of these apps could not be written, before any metered read. */
export async function assertWritable(apps: Apps): Promise<void> {
  const [{ lock, root }] = apps
  const path = await resolveWritable(lock, root)
  await access(dirname(path)).catch(failWriting(path))
  await Promise.all(apps.map(assertOwnFiles))
}

/** Fails if a file has changed since its edit was computed. */
async function assertUnchanged(edits: readonly FileEdit[]): Promise<void> {
  for (const { path, before } of edits)
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== before)
      throw new PromptsError('FILE_CHANGED', { path })
}

/** The error of a write that failed after others, which stay. */
function namingWritten(error: unknown, written: readonly string[]): unknown {
  if (written.length === 0) return error
  if (isPromptsError(error, 'FILE_CHANGED'))
    return new PromptsError('FILE_CHANGED', { ...error.details, written })
  if (!isPromptsError(error, 'FILE_UNWRITABLE')) return error
  return new PromptsError('FILE_UNWRITABLE', { ...error.details, written }, { cause: error.cause })
}
