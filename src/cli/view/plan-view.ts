/** The terminal's printer of what a pull has read, and what it would write. */
import { type ChangeRow, isNotChecked } from '../../core/change-row.ts'
import { countUnchanged } from '../../core/compare.ts'
import { countRows, describeVersion } from '../../core/describe-change.ts'
import type { NameCollision } from '../../core/names.ts'
import { findNewNotes, NOTE_REASONS, type PromptNotes } from '../../core/notes.ts'
import { partCommand } from '../../core/part-command.ts'
import { describePart, type Environment } from '../../core/prompt.ts'
import { formatCount, pluralize, truncateList } from '../../core/text/pluralize.ts'
import { makeVisible, sanitize } from '../../core/text/sanitize.ts'
import { stagingId } from '../../core/workspace-name.ts'
import {
  type DamagedLock,
  type FormerLock,
  lockBefore,
  type LostPart,
  type WholeLock,
} from '../../core/lock/former-lock.ts'
import { collisionsOf, type JudgedPlan, type Plan, rowsOf } from '../../plan/plan.ts'
import type { PullReport } from '../../plan/pull.ts'
import { isSafe } from '../../judge/impact.ts'
import type { Channel, Terminal } from '../shell/terminal.ts'
import {
  describeFiles,
  displayName,
  displayNames,
  displayReason,
  formatPlace,
  framesBelow,
  printBreaks,
  printHeldSection,
  printKept,
  printPatch,
  printRows,
} from './change-view.ts'
import type { EditJson } from './json.ts'

/** What a plan is about, besides its values. */
export interface PlanOrigin {
  readonly workspace: string
  /** Which one `virtual:prompts` serves. */
  readonly view: Environment
  /** What code imports for staging, if it is a folder. */
  readonly folder: string | undefined
  /** Why the lock before the pull is not valid, if it is not. */
  readonly damage: string | undefined
}

/**
 * Prints what a pull has read and would change, what that breaks and what is edited, before anything is written.
 *
 * @param edits - those of the plan
 */
export function printPlan(
  plan: JudgedPlan,
  { held, kept }: PullReport,
  edits: readonly EditJson[],
  { workspace, view, folder, damage }: PlanOrigin,
  { stdout, messages }: Terminal,
): void {
  const { before, after, left, breaks } = plan
  const rows = rowsOf(plan)
  if (damage !== undefined) printRepair(before, damage, messages)
  printChanges(rows, countUnchanged(after, rows), stdout)
  printFirstStaging(plan, folder ?? stagingId(workspace), messages)
  printLeft(left, stdout)
  printNextSteps(left, workspace, messages)
  printHeldSection(held, stdout)
  printKept(kept, stdout)
  printNotes(findNewNotes(rows.map(({ change }) => change)), stdout)
  printCollisions(collisionsOf(plan, view), stdout)
  // There may be no rest, or what is left was not checked.
  const isUnsaid = left.length > 0 && (rows.length === 0 || left.some(isNotChecked))
  if (!isUnsaid || !isSafe(breaks)) printBreaks(breaks, messages)
  if (edits.length > 0) stdout.line('', stdout.style('bold', `Edits ${describeFiles(edits)}:`))
  for (const { patch } of edits) printPatch(patch, stdout)
}

/** Prints why the lock before a pull was invalid, and how the pull repairs it. */
function printRepair(former: FormerLock, damage: string, messages: Channel): void {
  if (former.kind === 'none') return
  const [reason = ''] = damage.split('\n')
  const repair = former.kind === 'whole' ? describeMerge(former) : describeLoss(former)
  messages.line(messages.mark('warning', `${reason.replace(/[:.]$/, '')}. ${repair}`))
  if (former.kind === 'damaged') for (const part of former.lost) messages.line(lostLine(part))
  messages.line()
}

function describeMerge({ open }: WholeLock): string {
  if (open.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(open.map((part) => describePart(part))).join(', ')
  return `Both sides were merged; both changed these: ${names}.`
}

function describeLoss({ lost, isComplete }: DamagedLock): string {
  if (lost.length > 0) return 'These are read again:'
  return isComplete ? 'Nothing in it is lost.' : 'It may have had more prompts than can be found.'
}

/** What is lost with a part that is read again. */
function lostLine({ line, isEdited, held, former, ...part }: LostPart): string {
  const facts = [
    line === null ? '' : `line ${line}`,
    isEdited ? 'its edit is discarded' : "it can't be read",
    held === null ? '' : `its hold ends: ${displayReason(held)}`,
    former === null ? 'no commit has it' : `git has ${sanitize(former.version)}`,
  ]
  return `    ${describePart(part, displayName)}: ${facts.filter((fact) => fact !== '').join('; ')}`
}

/** Prints the changes that are taken, and how many prompts each class has. */
function printChanges(rows: readonly ChangeRow[], unchanged: number, channel: Channel): void {
  printRows(rows, channel)
  if (rows.length > 0) channel.line()
  const total = countRows(rows)
  if (unchanged > 0) total.push(`${formatCount(unchanged)} unchanged`)
  channel.line(channel.style('bold', total.length === 0 ? 'no prompts' : total.join(' · ')))
}

/** Says what the first staging versions are for. */
function printFirstStaging({ before, after }: Plan, module: string, messages: Channel): void {
  const staged = after.parts.filter(({ environment }) => environment === 'test')
  const isFirst = lockBefore(before).parts.every(({ environment }) => environment === 'live')
  if (isFirst && staged.length > 0) {
    const names = displayNames(staged.map(({ slug }) => slug)).join(', ')
    const are = `${pluralize(staged.length, 'prompt')} ${staged.length === 1 ? 'is' : 'are'}`
    const line = `  import { prompts as staging } from '${module}'`
    messages.line('', `${are} staged: ${names}. In code:`, line)
  }
}

/** More places of one prompt than this are only counted. */
const MAX_PLACES = 3

/** Prints the changes that a pull leaves, after an empty line; nothing for none. */
function printLeft(rows: readonly ChangeRow[], channel: Channel): void {
  const cells = rows.map((row) => [
    channel.style('bold', describePart(row, sanitize)),
    describeVersion(row, sanitize),
    displayReason(row.reason ?? ''),
    channel.dim(truncateList(row.places.map(formatPlace), MAX_PLACES).join(', ')),
  ])
  const title = channel.mark('warning', 'Left as pinned:')
  channel.section(
    title,
    cells,
    undefined,
    rows.map(({ places }) => framesBelow(places.slice(0, MAX_PLACES), channel).flat()),
  )
}

/** Prints what can be done about the changes that are left because of code, after an empty line. */
function printNextSteps(rows: readonly ChangeRow[], workspace: string, messages: Channel): void {
  const left = rows.filter(({ places }) => places.length > 0)
  // What is new can't be held.
  const pinned = left.filter(({ kind }) => kind !== 'added')
  if (left.length > pinned.length) messages.line('', 'Correct the code and pull again.')
  for (const environment of ['live', 'test'] as const) {
    const rowsOfPart = pinned.filter((row) => row.environment === environment)
    if (rowsOfPart.length === 0) continue
    const hold = partCommand(workspace, 'hold', rowsOfPart)
    messages.line('', `Correct the code and pull again, or keep what is pinned: \`${hold}\``)
  }
}

/** The number of notes and the first one, in one line. `prompts show` prints all of a prompt. */
function printNotes(notes: readonly PromptNotes[], channel: Channel): void {
  const [prompt] = notes
  const [first] = prompt?.first ?? []
  if (prompt === undefined || first === undefined) return
  const total = notes.reduce((sum, { count }) => sum + count, 0)
  const { field, line, column, kind, excerpt } = first
  const place = `${displayName(prompt.slug)}, ${field} ${line}:${column}`
  const more = total === 1 ? '' : `, and ${pluralize(total - 1, 'more note')}`
  const braces = makeVisible(sanitize(excerpt))
  const note = `${place}: \`${braces}\` ${NOTE_REASONS[kind]}${more}`
  channel.line('', channel.mark('warning', note))
}

function printCollisions(collisions: readonly NameCollision[], channel: Channel): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    const warning = `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`
    channel.line(channel.mark('warning', warning))
  }
}
