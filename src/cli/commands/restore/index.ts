import { usageError } from '../../../errors/prompts-error.ts'
import { restorePart } from '../../../features/hold/hold.ts'
import { readLockAt } from '../../../fs/lock-store.ts'
import { codeOptions } from '../../project/analyse.ts'
import { defineProjectCommand } from '../../project/project-command.ts'
import { editOptions, reviewOptions, writeReviewed } from '../../project/write.ts'
import type { Command } from '../../shell/command.ts'

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
    ...editOptions,
    ...reviewOptions,
    ...codeOptions,
  },
  examples: [
    ['prompts restore support-triage --from v1.4.0', 'the text of a release'],
    ['prompts restore support-triage --from HEAD~1 --yes', 'without a question'],
    ['prompts release support-triage', 'let the next pull update it again'],
  ],
  async run(invocation) {
    const { project, values, positionals } = invocation
    const { from: revision, reason = `restored from ${revision}`, environment = 'live' } = values
    if (revision === undefined)
      throw usageError('Name a git revision: --from <revision>.', 'restore')
    const [slug = ''] = positionals
    const shown = await project.show()
    const former = await readLockAt(project.lock, revision)
    const part = { slug, environment }
    const lock = restorePart(shown.lock, former, { ...part, revision, reason })
    return writeReviewed(invocation, project.draftEdit(shown, lock), part)
  },
})
