import { classifyChanges } from '../../../core/classify-change.ts'
import { comparePrompts, isChanged, type PromptChange } from '../../../core/compare.ts'
import { heldPrompts } from '../../../core/drift.ts'
import type { Lock } from '../../../core/prompt.ts'
import { usageError } from '../../../errors/usage-error.ts'
import { readFormerPrompt, restorePrompt } from '../../../features/restore/restore.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import type { Command } from '../../args/command.ts'
import { type Approval, confirmWrite, printNext, showImpact } from '../../output/approval.ts'
import { printHeldSection } from '../../output/held-view.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { changeJson, type RestoreJson } from '../../output/json.ts'
import { printLockResult } from '../../output/write-output.ts'
import { defineProjectCommand, type ProjectInvocation } from '../../project-command.ts'

const options = {
  from: { placeholder: 'revision', description: 'Branch, tag or commit whose lock has the prompt' },
  reason: {
    placeholder: 'text',
    description: 'Why, for the reviewers of the lock (default: restored from <revision>)',
  },
  'dry-run': { description: 'Show what would change; write nothing' },
  yes: { short: 'y', description: 'Write the lock; do not ask' },
  ...codeOptions,
} as const

type RestoreInvocation = ProjectInvocation<typeof options>

/** `prompts restore`. */
export const restore: Command = defineProjectCommand({
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
  options,
  examples: [
    ['prompts restore support-triage --from v1.4.0', 'the text of a release'],
    ['prompts restore support-triage --from HEAD~1 --yes', 'without a question'],
    ['prompts release support-triage', 'let the next pull update it again'],
  ],
  validate({ values: { from } }) {
    if (from === undefined) throw usageError('Name a git revision: --from <revision>.', 'restore')
  },
  async run(invocation) {
    const { terminal, project, values, signal } = invocation
    let review: RestoreReview | undefined
    const edit = async (before: Lock): Promise<Lock | undefined> => {
      review = await reviewRestore(invocation, before)
      return review.approved ? review.lock : undefined
    }
    const request = { dryRun: values['dry-run'], signal }
    const { lock, outcome } = await project.editLock(edit, request)
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

/** A lock with a restored prompt, and whether it may be written. */
interface RestoreReview extends Approval {
  readonly lock: Lock
  readonly changes: readonly PromptChange[]
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
}

/** Shows what a restored prompt changes and what that breaks in the app, and asks. */
async function reviewRestore(context: RestoreInvocation, before: Lock): Promise<RestoreReview> {
  const { project, terminal, values, positionals } = context
  const { from: revision = '', reason = `restored from ${revision}` } = values
  const [slug = ''] = positionals
  const former = await readFormerPrompt(project.lock, before, { slug, revision })
  const lock = restorePrompt(before, former, reason)
  const changes = comparePrompts(before.prompts, lock.prompts)
  const changed = changes.filter(isChanged)
  const isHeld = before.prompts.some(
    (prompt) => prompt.slug === slug && prompt.held?.reason === reason,
  )
  if (changed.length === 0 && isHeld) return { approved: true, lock, changes, findings: [] }
  const { printDiff } = await import('../diff/diff-view.ts')
  printDiff(changed, terminal.stdout)
  printHeldSection(
    heldPrompts(lock).filter((prompt) => prompt.slug === slug),
    terminal.stdout,
  )
  const findings = await showImpact(context, before, changes)
  if (values.yes || values['dry-run']) return { approved: true, lock, changes, findings }
  const breaks = findings?.length !== 0
  const question = breaks ? 'Write the lock anyway?' : 'Write the lock?'
  return { ...(await confirmWrite(question, context, !breaks)), lock, changes, findings }
}
