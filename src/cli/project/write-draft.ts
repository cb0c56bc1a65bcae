/** How commands write an edited lock: after a review, or at once. */
import { isDeepStrictEqual } from 'node:util'
import { changeRows, type ComparedRow, withoutTexts } from '../../core/change-row.ts'
import { heldPrompts } from '../../core/drift.ts'
import { type PartId, partKey } from '../../core/prompt.ts'
import type { CommitOptions } from '../../features/project/commit.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { CheckedImpact } from '../../features/usage/impact.ts'
import { askYesNo } from '../shell/ask.ts'
import type { ExitCode } from '../shell/command.ts'
import { printHeldSection } from '../view/change-view.ts'
import { impactJson, isSafe, printCheckedImpact, reportOf } from '../view/impact-view.ts'
import type { HoldJson, PullJson, RestoreJson } from '../view/json.ts'
import { checkImpact, type codeOptions } from './analyse.ts'
import { commandToWrite, printNext } from './approval.ts'
import type { ProjectContext, ProjectInvocation } from './project-command.ts'

/** The options of a command that changes one prompt of the lock, besides those of the code. */
export const reviewOptions = {
  'dry-run': { description: 'Show what would change; write nothing' },
  yes: { short: 'y', description: 'Write the lock; do not ask' },
} as const

type Reviewing = ProjectInvocation<typeof reviewOptions & typeof codeOptions>

/**
 * Shows what a draft changes in one part and what that breaks in the app, asks, writes, and prints the
 * answer.
 */
export async function writeReviewed(
  invocation: Reviewing,
  draft: Draft,
  part: PartId,
): Promise<ExitCode> {
  const { rows, impact, approved } = await review(invocation, draft, part)
  const { outcome } = await writeDraft(invocation, draft, { approved })
  const next = commandToWrite(approved, invocation)
  printLockResult(outcome, invocation)
  printNext(next, invocation.terminal.messages)
  invocation.terminal.json({
    ...lockJson(invocation, approved ? draft.lock : draft.before, part, outcome),
    changes: rows.map(withoutTexts),
    impact: impactJson(impact),
    next,
  } satisfies RestoreJson)
  return approved ? 0 : 3
}

/** What came of a draft. */
export interface WriteResult {
  readonly outcome: PullJson['outcome']
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
}

/** A call of a command that writes the lock. */
interface WriteContext extends ProjectContext {
  readonly values: { readonly 'dry-run'?: boolean }
}

/** Writes a draft that is approved, unless it is a dry run. */
export async function writeDraft(
  { project, values, signal }: WriteContext,
  draft: Draft,
  { approved = true, edits }: Pick<CommitOptions, 'edits'> & { readonly approved?: boolean } = {},
): Promise<WriteResult> {
  if (!approved) return { outcome: 'declined', generated: [] }
  if (values['dry-run']) return { outcome: 'dry-run', generated: [] }
  return project.commit(draft, { edits, signal })
}

/** Prints whether a command that edits the lock has written it. */
export function printLockResult(
  outcome: WriteResult['outcome'],
  { project, terminal: { messages } }: ProjectContext,
): void {
  const { path } = project.lock
  const message = outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', message))
}

/** The answer of a command that edits parts of the lock. */
export function lockJson(
  { project }: ProjectContext,
  lock: Draft['lock'],
  { environment }: Pick<PartId, 'environment'>,
  outcome: WriteResult['outcome'],
): HoldJson {
  return { environment, lock: project.lock.path, outcome, held: heldPrompts(lock) }
}

/** What a draft changes and breaks, and whether it may be written. */
interface Review {
  readonly rows: readonly ComparedRow[]
  readonly impact: CheckedImpact
  readonly approved: boolean
}

async function review(invocation: Reviewing, draft: Draft, part: PartId): Promise<Review> {
  const { values, terminal } = invocation
  const { before, lock, changes } = draft
  const impact = await checkImpact(invocation, draft)
  const rows = changeRows(changes, reportOf(impact))
  const reviewed = { rows, impact, approved: true }
  if (isDeepStrictEqual(before, lock)) return reviewed
  const { printDiff } = await import('../view/diff-view.ts')
  printDiff(rows, terminal.stdout)
  const held = heldPrompts(lock).filter((other) => partKey(other) === partKey(part))
  printHeldSection(held, terminal.stdout)
  printCheckedImpact(impact, terminal.messages)
  if (values.yes || values['dry-run']) return reviewed
  const { interactive } = terminal
  if (interactive === undefined) return { ...reviewed, approved: false }
  const safe = isSafe(impact)
  const question = safe ? 'Write the lock?' : 'Write the lock anyway?'
  return { ...reviewed, approved: await askYesNo(question, interactive, safe) }
}
