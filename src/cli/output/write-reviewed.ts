import { changeRows, type ComparedRow, withoutTexts } from '../../core/change-row.ts'
import { heldPrompts } from '../../core/drift.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import { commitAll } from '../../features/project/commit.ts'
import type { Project } from '../../features/project/project.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { ExitCode } from '../args/command.ts'
import type { ProjectInvocation } from '../project-command.ts'
import { type Approval, confirmWrite, printNext } from './approval.ts'
import { printHeldSection } from './change-view.ts'
import { type CheckedImpact, checkImpact, type codeOptions, printImpact } from './impact-view.ts'
import type { HoldJson, RestoreJson } from './json.ts'
import { printLockResult } from './write-output.ts'

/** The options of a command that changes one prompt of the lock, besides those of the code. */
export const reviewOptions = {
  'dry-run': { description: 'Show what would change; write nothing' },
  yes: { short: 'y', description: 'Write the lock; do not ask' },
} as const

type Reviewing = ProjectInvocation<typeof reviewOptions & typeof codeOptions>

/** A draft and the project of its lock. */
export interface LockDraft {
  readonly project: Project
  readonly draft: Draft
}

/**
 * Shows what drafts change in one prompt and what that breaks in the app, asks, and writes all or
 * nothing.
 */
export async function writeReviewed(
  invocation: Reviewing,
  drafts: readonly LockDraft[],
  slug: string,
): Promise<ExitCode> {
  const { terminal, values, signal } = invocation
  const reviews: Review[] = []
  for (const { project, draft } of drafts)
    reviews.push(await review({ ...invocation, project }, draft, slug))
  const approved = reviews.every((each) => each.approved)
  const written = approved && !values['dry-run'] ? await commitAll(drafts, signal) : []
  const unwritten = approved ? 'dry-run' : 'declined'
  const answers = drafts.map(({ project, draft }, index): RestoreJson => {
    const { impact, rows = [], next } = reviews[index] ?? {}
    const outcome = written[index]?.outcome ?? unwritten
    printLockResult(outcome, { ...invocation, project })
    printNext(next, terminal.messages)
    return {
      environment: draft.lock.environment,
      lock: project.lock.path,
      outcome,
      changes: rows.map(withoutTexts),
      impact: impact === null ? null : (impact?.findings ?? []),
      next: next ?? null,
      held: heldPrompts(approved ? draft.lock : draft.before),
    }
  })
  terminal.json(joinAnswers(answers))
  return approved ? 0 : 3
}

/** The answer about the first lock, with that about the test lock if there are two. */
export function joinAnswers<Answer extends HoldJson>([first, staging]: readonly Answer[]): Answer {
  if (first === undefined) throw new TypeError('No lock was edited.')
  return staging === undefined ? first : { ...first, staging }
}

/** What a draft changes and breaks, and whether it is written. */
interface Review extends Approval {
  readonly rows: readonly ComparedRow[]
  readonly impact: CheckedImpact
}

async function review(
  context: Reviewing,
  { before, lock, changes }: Draft,
  slug: string,
): Promise<Review> {
  const { terminal, values } = context
  const heldIn = ({ prompts }: Lock): PinnedPrompt['held'] =>
    prompts.find((prompt) => prompt.slug === slug)?.held
  const impact = await checkImpact(context, before, changes)
  const rows = changeRows(changes, impact ?? {})
  if (rows.length === 0 && heldIn(before)?.reason === heldIn(lock)?.reason)
    return { approved: true, rows, impact }
  const { printDiff } = await import('../commands/diff/diff-view.ts')
  printDiff(rows, terminal.stdout)
  printHeldSection(
    heldPrompts(lock).filter((prompt) => prompt.slug === slug),
    terminal.stdout,
  )
  if (impact) printImpact(impact, terminal.messages)
  if (values.yes || values['dry-run']) return { approved: true, rows, impact }
  const breaks = impact === null || (impact?.findings.length ?? 0) > 0
  const question = breaks ? 'Write the lock anyway?' : 'Write the lock?'
  return { ...(await confirmWrite(question, context, !breaks)), rows, impact }
}
