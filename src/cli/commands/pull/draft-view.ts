import { type PromptChange, promptVariables } from '../../../core/compare.ts'
import type { PromptNotes } from '../../../core/notes.ts'
import type { PinnedPrompt } from '../../../core/prompt.ts'
import type { NameCollision } from '../../../core/names.ts'
import { formatCount, pluralize, truncateList } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import type { SkippedChange } from '../../../features/pull/draft.ts'
import type { Channel, Format } from '../../output/channel.ts'
import {
  describeContract,
  describeSettings,
  describeTexts,
  describeVersion,
  displayName,
  displayNames,
  displayReason,
  formatPlace,
} from '../../output/describe-change.ts'
import { truncate } from '../../output/display-width.ts'
import { printHeldSection } from '../../output/held-view.ts'
import { printRows } from '../../output/table.ts'
import { displayPath, type ProjectContext } from '../../project-command.ts'

/** Prints the changes of a pull before the lock is written. */
export function printPullDraft(context: ProjectContext, draft: PullDraft): void {
  const { stdout } = context.terminal
  printRepair(context, draft)
  printChanges(draft.changes, context.project.lock.workspace, stdout)
  printSkipped(draft.skipped, stdout)
  printHeldSection(draft.held, stdout)
  printNotes(draft.notes, stdout)
  printCollisions(draft.collisions, stdout)
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

const MARKS: Readonly<Record<PromptChange['kind'], readonly [sign: string, Format]>> = {
  added: ['+', 'green'],
  updated: ['~', 'yellow'],
  removed: ['-', 'red'],
  unchanged: [' ', 'dim'],
}

/** More added prompts are only counted, since a first pull adds all of them. */
const MAX_ADDED = 20

function printChanges(changes: readonly PromptChange[], workspace: string, channel: Channel): void {
  const counts = countKinds(changes)
  const added = changes.filter(({ kind }) => kind === 'added').slice(0, MAX_ADDED)
  const shown = changes.filter((change) =>
    change.kind === 'added' ? added.includes(change) : change.kind !== 'unchanged',
  )
  const rows = shown.map((change) => changeRow(change, channel))
  printRows(rows, channel)
  const hidden = counts.added - added.length
  if (hidden > 0)
    channel.line(
      channel.dim(
        `… and ${formatCount(hidden)} more added; ${formatCommand(workspace, 'list')} shows them`,
      ),
    )
  if (rows.length > 0) channel.line()
  const total = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${formatCount(count)} ${kind}`],
  )
  channel.line(channel.style('bold', total.length === 0 ? 'no prompts' : total.join(' · ')))
}

function countKinds(changes: readonly PromptChange[]): Record<PromptChange['kind'], number> {
  const counts = { added: 0, updated: 0, removed: 0, unchanged: 0 }
  for (const { kind } of changes) counts[kind]++
  return counts
}

function changeRow(change: PromptChange, channel: Channel): string[] {
  const [sign, format] = MARKS[change.kind]
  return [
    channel.style(format, `${sign} ${change.kind}`),
    channel.style('bold', sanitize(change.slug)),
    describeVersion(change),
    remarksOn(change, channel),
  ]
}

function remarksOn(change: PromptChange, channel: Channel): string {
  if (change.kind === 'added') return channel.dim(listVariables(change.after))
  if (change.kind !== 'updated') return ''
  const contract = describeContract(change).map((text) => channel.style('magenta', text))
  const others = [...describeSettings(change), describeTexts(change)]
  return [...contract, ...others.map(channel.dim)].join('  ')
}

function listVariables(prompt: PinnedPrompt): string {
  const variables = promptVariables(prompt)
  return variables.length === 0 ? 'no variables' : displayNames(variables).join(', ')
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

/** More places of one prompt than this are only counted. */
const MAX_PLACES = 3

/** Prints the updates that a pull leaves, after an empty line; nothing for none. */
function printSkipped(skipped: readonly SkippedChange[], channel: Channel): void {
  if (skipped.length === 0) return
  channel.line('', channel.mark('warning', 'Left as pinned:'))
  const rows = skipped.map(({ change, reason, places }) => [
    `  ${channel.style('bold', sanitize(change.slug))}`,
    describeVersion(change),
    displayReason(reason),
    channel.dim(truncateList(places.map(formatPlace), MAX_PLACES).join(', ')),
  ])
  printRows(rows, channel)
}
