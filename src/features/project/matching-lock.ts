import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { describePart, type Lock, type PartId, type PinnedPrompt } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { type LockStore, readRequiredLock } from '../../fs/lock-store.ts'

export async function readMatchingLock(lock: LockStore, options: ResolvedOptions): Promise<Lock> {
  const { path, workspace } = lock
  const pinned = await readRequiredLock(lock)
  const differences = excludedParts(pinned, options).map(describeExcluded)
  if (differences.length > 0) throw new PromptsError('LOCK_UNFIT', { path, workspace, differences })
  return pinned
}

/** The parts of a lock that the options exclude; none if it matches. */
export function excludedParts(
  { parts }: Lock,
  { isSelected }: Pick<ResolvedOptions, 'isSelected'>,
): PinnedPrompt[] {
  return parts.filter((part) => part.held === undefined && !isSelected(part))
}

/** Says that the lock has a part that the options exclude. */
export function describeExcluded(part: PartId): string {
  return `it has ${describePart(part)}, which the options exclude`
}
