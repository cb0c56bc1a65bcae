import { classifyChanges } from '../../core/classify-change.ts'
import { isChanged } from '../../core/compare.ts'
import { heldPrompts } from '../../core/drift.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
import type { ExitCode } from '../args/command.ts'
import type { ProjectInvocation } from '../project-command.ts'
import { type Approval, confirmWrite, printNext, showImpact } from './approval.ts'
import { printHeldSection } from './held-view.ts'
import type { codeOptions } from './impact-view.ts'
import { changeJson, type RestoreJson } from './json.ts'
import { printLockResult } from './write-output.ts'

/** The options of a command that changes one prompt of the lock, besides those of the code. */
export const reviewOptions = {
  'dry-run': { description: 'Show what would change; write nothing' },
  yes: { short: 'y', description: 'Write the lock; do not ask' },
} as const

type Reviewing = ProjectInvocation<typeof reviewOptions & typeof codeOptions>

/** Shows what a draft changes in one prompt and what that breaks in the app, asks, and writes it. */
export async function writeReviewed(
  invocation: Reviewing,
  draft: Draft,
  slug: string,
): Promise<ExitCode> {
  const { project, terminal, values, signal } = invocation
  const { approved, findings, next } = await review(invocation, draft, slug)
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
}

async function review(
  context: Reviewing,
  { before, lock, changes }: Draft,
  slug: string,
): Promise<Approval & { readonly findings: readonly ImpactFinding[] | null }> {
  const { terminal, values } = context
  const heldIn = ({ prompts }: Lock): PinnedPrompt['held'] =>
    prompts.find((prompt) => prompt.slug === slug)?.held
  const changed = changes.filter(isChanged)
  if (changed.length === 0 && heldIn(before)?.reason === heldIn(lock)?.reason)
    return { approved: true, findings: [] }
  const { printDiff } = await import('../commands/diff/diff-view.ts')
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
