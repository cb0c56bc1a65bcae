import type { Environment, Lock, PinnedPrompt } from '../../../core/prompt.ts'
import { sortBySlug } from '../../../core/text/order.ts'
import { findKnownPrompt } from '../../../errors/assert-known-slugs.ts'
import { PromptsError, usageError } from '../../../errors/prompts-error.ts'
import { readLockAt } from '../../../fs/lock-store.ts'
import type { Command } from '../../args/command.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { type LockDraft, reviewOptions, writeReviewed } from '../../output/write-drafts.ts'
import { defineProjectCommand, projectsOfLocks } from '../../project-command.ts'

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
  async run(invocation) {
    const { values, positionals } = invocation
    const { from: revision, reason = `restored from ${revision}` } = values
    if (revision === undefined)
      throw usageError('Name a git revision: --from <revision>.', 'restore')
    const [slug = ''] = positionals
    const drafts: LockDraft[] = []
    for (const project of await projectsOfLocks(invocation)) {
      const former = await readLockAt(project.lock, revision)
      // The test lock may be younger than the revision.
      const isOptional = drafts.length > 0
      if (isOptional && !former?.prompts.some((prompt) => prompt.slug === slug)) continue
      const { environment } = project.options
      const prompt = findFormer(slug, former, { revision, environment })
      const draft = await project.prepareEdit((lock) => {
        const others = lock.prompts.filter((other) => other.slug !== slug)
        return { ...lock, prompts: sortBySlug([...others, { ...prompt, held: { reason } }]) }
      })
      drafts.push({ project, draft })
    }
    return writeReviewed(invocation, drafts, slug)
  },
})

/**
 * The prompt as the lock of a git revision has it.
 *
 * @throws PromptsError SLUG_UNKNOWN, REVISION_UNREADABLE
 */
function findFormer(
  slug: string,
  former: Lock | undefined,
  { revision, environment }: { readonly revision: string; readonly environment: Environment },
): PinnedPrompt {
  const refuse = (reason: string): never => {
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason })
  }
  if (former === undefined) return refuse('it has no lock')
  if (former.environment !== environment)
    return refuse(`its lock has ${former.environment} prompts, not ${environment}`)
  return findKnownPrompt(slug, former.prompts, `The lock of ${revision}`)
}
