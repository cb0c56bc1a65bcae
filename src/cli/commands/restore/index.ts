import { classifyChanges } from '../../../core/classify-change.ts'
import { isChanged } from '../../../core/compare.ts'
import { heldPrompts } from '../../../core/drift.ts'
import type { Lock, PinnedPrompt } from '../../../core/prompt.ts'
import { usageError } from '../../../errors/usage-error.ts'
import { prepareRestore } from '../../../features/restore/restore.ts'
import type { Draft } from '../../../features/pull/draft.ts'
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
    const { project, terminal, values, positionals, signal } = invocation
    const { from: revision = '', reason = `restored from ${revision}` } = values
    const [slug = ''] = positionals
    const draft = await prepareRestore(project, { slug, revision, reason })
    const { approved, findings, next } = await review(invocation, draft)
    const outcome = !approved
      ? 'declined'
      : values['dry-run']
        ? 'dry-run'
        : (await project.commit(draft, { signal })).outcome
    terminal.json({
      environment: draft.lock.environment,
      lock: project.lock.path,
      outcome,
      changes: classifyChanges(draft.changes, findings ?? []).map(changeJson),
      impact: findings,
      next: next ?? null,
      held: heldPrompts(approved ? draft.lock : draft.before),
    } satisfies RestoreJson)
    printLockResult(outcome, invocation)
    printNext(next, terminal.messages)
    return outcome === 'declined' ? 3 : 0
  },
})

/** Shows what a restored prompt changes and what that breaks in the app, and asks. */
async function review(
  context: ProjectInvocation<typeof options>,
  { before, lock, changes }: Draft,
): Promise<Approval & { readonly findings: readonly ImpactFinding[] | null }> {
  const { terminal, values, positionals } = context
  const [slug] = positionals
  const heldIn = ({ prompts }: Lock): PinnedPrompt['held'] =>
    prompts.find((prompt) => prompt.slug === slug)?.held
  const changed = changes.filter(isChanged)
  if (changed.length === 0 && heldIn(before)?.reason === heldIn(lock)?.reason)
    return { approved: true, findings: [] }
  const { printDiff } = await import('../diff/diff-view.ts')
  printDiff(changed, terminal.stdout)
  printHeldSection(
    heldPrompts(lock).filter((prompt) => prompt.slug === slug),
    terminal.stdout,
  )
  const findings = await showImpact(context, before, changes)
  if (values.yes || values['dry-run']) return { approved: true, findings }
  const breaks = findings?.length !== 0
  const question = breaks ? 'Write the lock anyway?' : 'Write the lock?'
  return { ...(await confirmWrite(question, context, !breaks)), findings }
}
