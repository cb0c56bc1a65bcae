import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import { sortBySlug } from '../../core/text/order.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { type LockOrigin, readLockAt } from '../../fs/lock-store.ts'

/** A prompt of an older lock. */
export interface RestoreRequest {
  readonly slug: string
  /** A branch, tag or commit of git. */
  readonly revision: string
}

/**
 * Reads a prompt as it was pinned in a git revision, without its held mark.
 *
 * @throws PromptsError SLUG_UNKNOWN if the lock of the revision does not have it;
 *   REVISION_UNREADABLE; what reading that lock throws
 */
export async function readFormerPrompt(
  source: LockOrigin,
  { environment }: Pick<Lock, 'environment'>,
  { slug, revision }: RestoreRequest,
): Promise<PinnedPrompt> {
  const former = await readLockAt(source, revision)
  const refuse = (reason: string): never => {
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason })
  }
  if (former === undefined) return refuse('it has no lock')
  if (former.environment !== environment)
    return refuse(`its lock has ${former.environment} prompts, not ${environment}`)
  const found = findKnownPrompt(slug, former.prompts, `The lock of ${revision}`)
  return { ...found, held: undefined }
}

/** A lock with a former prompt in place of the pinned one, or added to it, and held. */
export function restorePrompt(lock: Lock, former: PinnedPrompt, reason: string): Lock {
  const others = lock.prompts.filter(({ slug }) => slug !== former.slug)
  return { ...lock, prompts: sortBySlug([...others, { ...former, held: { reason } }]) }
}
