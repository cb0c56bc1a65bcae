import type { Lock } from '../../core/prompt.ts'
import { assertPinnable } from '../pull/assert-pinnable.ts'
import type { PullReport } from '../pull/pull.ts'
import { readMatchingLock } from './matching-lock.ts'
import type { PullOptions, PullTarget } from './pull-project.ts'

/** Gives a new lock, or `undefined` to leave the lock as it is. */
export type EditLock = (lock: Lock) => Lock | undefined | Promise<Lock | undefined>

/** How to edit a lock. */
export type EditOptions = Pick<PullOptions, 'dryRun' | 'signal'>

/** What an edit of the lock did. */
export interface LockEdit {
  /** The new lock, or the old one if it was left. */
  readonly lock: Lock
  readonly outcome: PullReport['outcome']
}

/** Changes the lock without the service and updates all generated files, while no pull runs. */
export async function editLock(
  target: PullTarget,
  edit: EditLock,
  { dryRun, signal }: EditOptions,
): Promise<LockEdit> {
  const { options, lock: store, writeGenerated } = target
  const before = await readMatchingLock(store, options)
  const lock = await edit(before)
  if (lock === undefined) return { lock: before, outcome: 'declined' }
  assertPinnable(lock.prompts, options.apiKey?.value ?? '')
  if (dryRun) return { lock, outcome: 'dry-run' }
  signal?.throwIfAborted()
  const outcome = await store.write(lock)
  await writeGenerated(lock)
  return { lock, outcome }
}
