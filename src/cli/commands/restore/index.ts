import { classifyChanges } from '../../../core/classify-change.ts'
import { heldPrompts } from '../../../core/drift.ts'
import type { Lock } from '../../../core/prompt.ts'
import { usageError } from '../../../errors/usage-error.ts'
import type { Command } from '../../args/command.ts'
import { defineProjectCommand } from '../../project-command.ts'
import { printNext } from '../../output/approval.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { changeJson, type RestoreJson } from '../../output/json.ts'
import { printLockResult } from '../../output/lock-result.ts'
import { type RestoreReview, reviewRestore } from './review-restore.ts'

/** `prompts restore`. */
export const restore: Command = defineProjectCommand({
  name: 'restore',
  argument: {
    placeholder: '<slug>',
    description: 'The prompt, as the lock of that revision names it',
    maxCount: 1,
    missing: 'Name a prompt.',
  },
  details: [
    'Pins a prompt as it was in the lock of a git revision, and holds it, so no pull replaces it. Needs neither a network nor a key. A prompt that was removed is added again.',
    'Shows the change and what it breaks in the app, and asks. Without a terminal, nothing is written and the exit code is 3, unless you pass --yes.',
  ],
  options: {
    from: {
      type: 'text',
      placeholder: 'revision',
      description: 'Branch, tag or commit whose lock has the prompt',
    },
    reason: {
      type: 'text',
      placeholder: 'text',
      description: 'Why, for the reviewers of the lock (default: restored from <revision>)',
    },
    'dry-run': { type: 'flag', description: 'Show what would change; write nothing' },
    yes: { type: 'flag', short: 'y', description: 'Write the lock; do not ask' },
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
    const { terminal, project, values, positionals, signal } = invocation
    const { from: revision = '', reason, tsconfig, yes, 'dry-run': dryRun } = values
    const [slug = ''] = positionals
    const choice = { slug, revision, reason, tsconfig, asks: !yes && !dryRun }
    let review: RestoreReview | undefined
    const edit = async (before: Lock): Promise<Lock | undefined> => {
      review = await reviewRestore(invocation, before, choice)
      return review.approved ? review.lock : undefined
    }
    const { lock, outcome } = await project.editLock(edit, { dryRun, signal })
    terminal.json({
      environment: lock.environment,
      lock: project.lock.path,
      outcome,
      changes: classifyChanges(review?.changes ?? []).map(changeJson),
      impact: review?.findings ?? null,
      next: review?.next ?? null,
      held: heldPrompts(lock),
    } satisfies RestoreJson)
    printLockResult(outcome, invocation)
    printNext(review?.next, terminal.messages)
    return outcome === 'declined' ? 3 : 0
  },
})
