import { usageError, PromptsError } from '../../../errors/prompts-error.ts'
import type { Project } from '../../../features/project/project.ts'
import { readLockAt } from '../../../fs/lock-store.ts'
import type { Command } from '../../args/command.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { reviewOptions, writeReviewed } from '../../output/write-reviewed.ts'
import { defineProjectCommand, projectsOfLocks } from '../../project-command.ts'
import { sortBySlug } from '../../../core/text/order.ts'
import { findKnownPrompt } from '../../../errors/assert-known-slugs.ts'
import type { Draft } from '../../../features/pull/draft.ts'

/** `prompts restore`. */
export const restore: Command = defineProjectCommand({
  argument: {
    placeholder: '<slug>',
    description: 'The prompt, as the lock of that revision names it',
    maxCount: 1,
    missing: 'Name a prompt.',
  },
  details: [
    'Pins a prompt as it was in the lock of a git revision, and holds it, so no pull replaces it. Needs neither a network nor a key. It also adds a removed prompt again.',
    'Shows the change and what it breaks in the app, and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
  ],
  options: {
    from: {
      placeholder: 'revision',
      description: 'Branch, tag or commit whose lock has the prompt',
    },
    reason: {
      placeholder: 'text',
      description: 'Why, for the reviewers of the lock (default: restored from <revision>)',
    },
    ...reviewOptions,
    ...codeOptions,
  },
  examples: [
    ['prompts restore support-triage --from v1.4.0', 'the text of a release'],
    ['prompts restore support-triage --from HEAD~1 --yes', 'without a question'],
    ['prompts release support-triage', 'let the next pull update it again'],
  ],
  validate({ values: { from } }) {
    if (from === undefined) throw usageError('Name a git revision: --from <revision>.', 'restore')
  },
  async run(invocation) {
    const { values, positionals } = invocation
    const { from: revision = '', reason = `restored from ${revision}` } = values
    const [slug = ''] = positionals
    const request = { slug, revision, reason }
    const [project, second] = await projectsOfLocks(invocation)
    const drafts = [{ project, draft: await prepareRestore(project, request) }]
    if (second !== undefined && (await hadPrompt(second, request)))
      drafts.push({ project: second, draft: await prepareRestore(second, request) })
    return writeReviewed(invocation, drafts, slug)
  },
})

/** Whether the test lock of the revision has the prompt; it may be younger than the revision. */
async function hadPrompt(
  { lock }: Project,
  { slug, revision }: { readonly slug: string; readonly revision: string },
): Promise<boolean> {
  const former = await readLockAt(lock, revision)
  return former?.prompts.some((prompt) => prompt.slug === slug) ?? false
}

/** A prompt of an older lock. */
interface RestoreRequest {
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
async function prepareRestore(
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
