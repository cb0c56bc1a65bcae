import type { ComparedRow } from '../../../core/change-row.ts'
import type { NameCollision } from '../../../core/names.ts'
import type { PromptNotes } from '../../../core/notes.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import {
  displayName,
  displayNames,
  printChanges,
  printHeldSection,
  printSkipped,
} from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import { truncate } from '../../output/layout.ts'
import { type CheckedImpact, printImpact } from '../../output/impact-view.ts'
import { displayPath, type ProjectContext } from '../../project-command.ts'
import type { PlannedEdits } from './plan-edits.ts'

/** What a pull may write: a draft without what is left, and edits of the app. */
export interface PullPlan {
  readonly draft: PullDraft
  /** What it breaks in the app. */
  readonly impact: CheckedImpact
  readonly rows: readonly ComparedRow[]
  /** The changes of prompts without a staging version, which the live lock has too. */
  readonly following: readonly ComparedRow[]
  /** The changes that are left. */
  readonly skipped: readonly ComparedRow[]
  /** The edits of the app, if they are wanted. */
  readonly edits?: PlannedEdits | undefined
  /** Whether the plan is a choice that is verified, which no other choice follows. */
  readonly isVerified?: boolean | undefined
}

/** Prints the changes of a pull and what they break, before the lock is written. */
export function printPullPlan(
  context: ProjectContext,
  { draft, rows, following, skipped, impact }: PullPlan,
): void {
  const { stdout, messages } = context.terminal
  printRepair(context, draft)
  const unchanged = draft.changes.filter(({ kind }) => kind === 'unchanged').length
  printChanges(rows, unchanged, stdout)
  if (following.length > 0)
    stdout.line(stdout.dim(`${pluralize(following.length, 'other')} as in the live lock`))
  printSkipped(skipped, stdout)
  printHeldSection(draft.held, stdout)
  printNotes(draft.notes, stdout)
  printCollisions(draft.collisions, stdout)
  if (!impact) return
  messages.line()
  printImpact(impact, messages)
}

/** Prints why the lock before a pull was invalid and how the pull repairs it; nothing for a valid one. */
function printRepair(context: ProjectContext, { previousLockError, merged }: PullDraft): void {
  if (previousLockError === undefined) return
  const { messages } = context.terminal
  const { path } = context.project.lock
  const [first = ''] = previousLockError.why.split('\n')
  const shownPath = sanitize(displayPath(path, context))
  const reason = first.replace(sanitize(path), () => shownPath).replace(/[:.]$/, '')
  const repair = describeRepair(previousLockError, merged)
  messages.line(messages.mark('warning', `${reason}. ${repair}`), '')
}

function describeRepair({ code }: PromptsError, merged: readonly string[] | undefined): string {
  if (code === 'LOCK_EDITED') return 'The edited entries are replaced.'
  if (merged === undefined) return 'Its sides could not be merged, so every prompt was read.'
  if (merged.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(merged).join(', ')
  return `Both sides were merged; read from the service, since both changed: ${names}.`
}

/** The number of notes and the first one, in one line. `prompts show` prints all of a prompt. */
function printNotes(notes: readonly PromptNotes[], channel: Channel): void {
  const [first] = notes
  if (first === undefined) return
  const total = notes.reduce((sum, { count }) => sum + count, 0)
  const where = `${pluralize(total, 'note')} in ${pluralize(notes.length, 'prompt')}`
  const more = total === 1 ? '' : ` and ${formatCount(total - 1)} more`
  const note = truncate(`${where}: ${describeNote(first)}${more}`, channel.columns - 2)
  channel.line('', channel.mark('warning', note))
}

function describeNote({ slug, first: [note] }: PromptNotes): string {
  const prompt = displayName(slug)
  if (note === undefined) return prompt
  return `${prompt}:${note.field}:${note.line}:${note.column} ${sanitize(note.excerpt)}`
}

function printCollisions(collisions: readonly NameCollision[], channel: Channel): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    channel.line(
      channel.mark(
        'warning',
        `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`,
      ),
    )
  }
}
