import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { describePart, type Lock, type PartId } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { type LockStore, readRequiredLock } from '../../fs/lock-store.ts'

export async function readMatchingLock(lock: LockStore, options: ResolvedOptions): Promise<Lock> {
  const { path, workspace } = lock
  const pinned = await readRequiredLock(lock)
  const differences = lockMismatches(pinned, options).map(({ text }) => text)
  if (differences.length > 0) throw new PromptsError('LOCK_UNFIT', { path, workspace, differences })
  return pinned
}

export interface LockMismatch {
  readonly part: PartId
  readonly text: string
}

/** How a lock differs from what the options select; empty if it matches. */
export function lockMismatches(
  { parts }: Lock,
  { isSelected }: Pick<ResolvedOptions, 'isSelected'>,
): LockMismatch[] {
  return parts
    .filter((part) => part.held === undefined && !isSelected(part))
    .map((part) => ({ part, text: `it has ${describePart(part)}, which the options exclude` }))
}
