/** How commands write drafts of the live and the test lock: all of them or none, with one answer. */
import { isDeepStrictEqual } from 'node:util'
import { changeRows, type ComparedRow, withoutTexts } from '../../core/change-row.ts'
import { heldPrompts } from '../../core/drift.ts'
import { commitAll, type ProjectDraft } from '../../features/project/commit.ts'
import type { Project } from '../../features/project/project.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { CommandContext, ExitCode } from '../args/command.ts'
import type { ProjectInvocation } from '../project-command.ts'
import { askYesNo } from '../ask.ts'
import { commandToWrite, printNext } from './approval.ts'
import { printHeldSection } from './change-view.ts'
import { type CheckedImpact, checkImpact, type codeOptions, printImpact } from './impact-view.ts'
import type { HoldJson, PullJson, RestoreJson } from './json.ts'

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
 * Shows what drafts change in one prompt and what that breaks in the app, asks, writes, and prints the
 * answer.
 */
export async function writeReviewed(
  invocation: Reviewing,
  drafts: readonly LockDraft[],
  slug: string,
): Promise<ExitCode> {
  const { terminal } = invocation
  const reviews: Review[] = []
  for (const draft of drafts) reviews.push(await review(invocation, draft, slug))
  const approved = reviews.every((draft) => draft.approved)
  const results = await writeDrafts(reviews, invocation, approved)
  const answers = results.map((lock): RestoreJson => {
    const { draft, rows, impact } = lock
    const next = commandToWrite(lock.approved, invocation)
    printLockResult(lock, invocation)
    printNext(next, terminal.messages)
    return {
      ...lockJson(lock),
      changes: rows.map(withoutTexts),
      impact: impact === null ? null : (impact?.findings ?? []),
      next,
      held: heldPrompts(approved ? draft.lock : draft.before),
    }
  })
  terminal.json(joinAnswers(answers))
  return approved ? 0 : 3
}

/** What came of a draft. */
export interface WriteResult {
  readonly outcome: PullJson['outcome']
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
}

/** Writes drafts that are approved, unless it is a dry run. */
export async function writeDrafts<Item extends ProjectDraft>(
  drafts: readonly Item[],
  {
    values,
    signal,
  }: Pick<CommandContext, 'signal'> & {
    readonly values: { readonly 'dry-run'?: boolean }
  },
  approved = true,
): Promise<(Item & WriteResult)[]> {
  const results = approved && !values['dry-run'] ? await commitAll(drafts, signal) : []
  const unwritten = { outcome: approved ? 'dry-run' : 'declined', generated: [] } as const
  return drafts.map((draft, index) => ({ ...draft, ...(results[index] ?? unwritten) }))
}

/** Prints whether a command that edits the lock has written it. */
export function printLockResult(
  { project, outcome }: LockDraft & WriteResult,
  { terminal: { messages } }: CommandContext,
): void {
  const { path } = project.lock
  const message = outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', message))
}

/** The answer about a lock. */
export function lockJson({
  project,
  draft,
  outcome,
}: LockDraft & WriteResult): Omit<HoldJson, 'staging'> {
  const { environment } = draft.lock
  return { environment, lock: project.lock.path, outcome, held: heldPrompts(draft.lock) }
}

/** The answer about the first lock, with that about the test lock if there are two. */
export function joinAnswers<Answer extends object>([first, staging]: readonly Answer[]): Answer {
  if (first === undefined) throw new TypeError('No lock was edited.')
  return staging === undefined ? first : { ...first, staging }
}

/** What a draft changes and breaks, and whether it may be written. */
interface Review extends LockDraft {
  readonly rows: readonly ComparedRow[]
  readonly impact: CheckedImpact
  readonly approved: boolean
}

async function review(
  invocation: Reviewing,
  { project, draft }: LockDraft,
  slug: string,
): Promise<Review> {
  const { terminal, values } = invocation
  const { before, lock, changes } = draft
  const impact = await checkImpact({ ...invocation, project }, draft)
  const rows = changeRows(changes, impact ?? {})
  const reviewed = { project, draft, rows, impact, approved: true }
  if (isDeepStrictEqual(before, lock)) return reviewed
  const { printDiff } = await import('../commands/diff/diff-view.ts')
  printDiff(rows, terminal.stdout)
  printHeldSection(
    heldPrompts(lock).filter((prompt) => prompt.slug === slug),
    terminal.stdout,
  )
  if (impact) printImpact(impact, terminal.messages)
  if (values.yes || values['dry-run']) return reviewed
  const breaks = impact === null || (impact?.findings.length ?? 0) > 0
  const question = breaks ? 'Write the lock anyway?' : 'Write the lock?'
  const { interactive } = terminal
  if (interactive === undefined) return { ...reviewed, approved: false }
  return { ...reviewed, approved: await askYesNo(question, interactive, !breaks) }
}
