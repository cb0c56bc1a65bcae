/** The terminal's printer of a pull: its plan, and what came of it. */
import { countUnchanged } from '../../../core/compare.ts'
import type { NameCollision } from '../../../core/names.ts'
import type { PromptNotes } from '../../../core/notes.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import { commandToWrite, printNext } from '../../output/approval.ts'
import {
  describeFiles,
  displayName,
  displayNames,
  printChanges,
  printHeldSection,
  printPatch,
  printSkipped,
} from '../../output/change-view.ts'
import type { Channel } from '../../output/channel.ts'
import { printImpact } from '../../output/impact-view.ts'
import { truncate } from '../../output/layout.ts'
import type { WriteResult } from '../../output/write-drafts.ts'
import { displayPath } from '../../project-command.ts'
import type { Decision, PullPlan } from './plan.ts'

/** Prints the changes of a pull, what they break and what is edited, before anything is written. */
export function printPlan({
  context,
  draft,
  rows,
  following,
  skipped,
  impact,
  edits = [],
}: PullPlan): void {
  const { stdout, messages } = context.terminal
  if (draft.previousLockError !== undefined)
    messages.line(messages.mark('warning', describeRepair(draft.previousLockError, draft)), '')
  const unchanged = countUnchanged(draft.lock.prompts, draft.changes)
  printChanges(rows, unchanged, stdout)
  if (following.length > 0)
    stdout.line(stdout.dim(`${pluralize(following.length, 'other')} as in the live lock`))
  printSkipped(skipped, stdout)
  printHeldSection(draft.held, stdout)
  printNotes(draft.notes, stdout)
  printCollisions(draft.collisions, stdout)
  if (impact) printImpact(impact, messages)
  if (edits.length > 0) stdout.line('', stdout.style('bold', `Edits ${describeFiles(edits)}:`))
  for (const { patch } of edits) printPatch(patch, stdout)
}

/** Why the lock before a pull was invalid and how the pull repairs it. */
function describeRepair({ code, why }: PromptsError, { merged }: PullDraft): string {
  const [reason = ''] = why.split('\n')
  return `${reason.replace(/[:.]$/, '')}. ${repairOf(code, merged)}`
}

function repairOf(code: PromptsError['code'], merged: PullDraft['merged']): string {
  if (code === 'LOCK_EDITED') return 'The edited entries are replaced.'
  if (merged === undefined) return 'Its sides could not be merged, so every prompt was read.'
  if (merged.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(merged).join(', ')
  return `Both sides were merged; read from the service, since both changed: ${names}.`
}

/** The number of notes and the first one, in one line. `prompts show` prints all of a prompt. */
function printNotes(notes: readonly PromptNotes[], channel: Channel): void {
  const [prompt] = notes
  const [first] = prompt?.first ?? []
  if (prompt === undefined || first === undefined) return
  const total = notes.reduce((sum, { count }) => sum + count, 0)
  const where = `${pluralize(total, 'note')} in ${pluralize(notes.length, 'prompt')}`
  const { field, line, column, excerpt } = first
  const place = `${displayName(prompt.slug)}:${field}:${line}:${column} ${sanitize(excerpt)}`
  const more = total === 1 ? '' : ` and ${formatCount(total - 1)} more`
  const note = truncate(`${where}: ${place}${more}`, channel.columns - 2)
  channel.line('', channel.mark('warning', note))
}

function printCollisions(collisions: readonly NameCollision[], channel: Channel): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    const warning = `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`
    channel.line(channel.mark('warning', warning))
  }
}

/** A decision, and what came of it. */
export interface Written extends Decision, WriteResult {}

/** Prints what came of a pull, and what it took. */
export function printResult(written: Written): void {
  const { context, draft, retries, edits, approved, outcome, generated } = written
  const { messages } = context.terminal
  const lock = displayPath(context.project.lock.path, context)
  const files = [lock, ...generated.map((path) => displayPath(path, context))]
  if (edits !== undefined && edits.length > 0) files.push(describeFiles(edits))
  const message = {
    written: `Wrote ${new Intl.ListFormat('en').format(files)}.`,
    unchanged: `${lock} is ${draft.skipped.length === 0 ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[outcome]
  const { reads, planStatus } = draft
  const costs = [
    pluralize(reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
  const cost = messages.dim(costs.join(' · '))
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', `${message} ${cost}`))
  const next = commandToWrite(approved, context)
  printNext(next, messages)
  if (next !== null && edits === undefined)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
}
