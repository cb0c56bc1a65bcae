import { sortBySlug } from '../../core/text/order.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import type { Project } from '../project/project.ts'
import type { Draft } from '../pull/draft.ts'

/** A prompt of an older lock. */
export interface RestoreRequest {
  readonly slug: string
  /** A branch, tag or commit of git. */
  readonly revision: string
  /** Why it is held. */
  readonly reason: string
}

/**
 * A draft with a prompt as it was pinned in a git revision, and held. A prompt that was removed is
 * added again.
 *
 * @throws PromptsError SLUG_UNKNOWN if the lock of the revision does not have it;
 *   REVISION_UNREADABLE; what reading that lock and {@link Project.prepareEdit} throw
 */
export async function prepareRestore(
  project: Project,
  { slug, revision, reason }: RestoreRequest,
): Promise<Draft> {
  const { environment } = project.options
  const former = await readLockAt(project.lock, revision)
  const refuse = (why: string): never => {
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason: why })
  }
  if (former === undefined) return refuse('it has no lock')
  if (former.environment !== environment)
    return refuse(`its lock has ${former.environment} prompts, not ${environment}`)
  const prompt = findKnownPrompt(slug, former.prompts, `The lock of ${revision}`)
  return project.prepareEdit((lock) => {
    const others = lock.prompts.filter((other) => other.slug !== slug)
    return { ...lock, prompts: sortBySlug([...others, { ...prompt, held: { reason } }]) }
  })
}
