import { usageError } from '../../../errors/prompts-error.ts'
import type { Project } from '../../../features/project/project.ts'
import { readLockAt } from '../../../fs/lock-store.ts'
import { prepareRestore } from '../../../features/restore/restore.ts'
import type { Command } from '../../args/command.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { reviewOptions, writeReviewed } from '../../output/write-reviewed.ts'
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
