/** The terminal's printer of what a pull has read, besides its changes. */
import type { NameCollision } from '../../core/names.ts'
import type { PromptNotes } from '../../core/notes.ts'
import { describePart } from '../../core/prompt.ts'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { stagingId } from '../../core/workspace-name.ts'
import type { PromptsError } from '../../errors/prompts-error.ts'
import type { PullDraft } from '../../features/pull/draft.ts'
import type { Channel } from '../shell/channel.ts'
import { truncate } from '../shell/layout.ts'
import { displayName, displayNames } from './change-view.ts'

/** Says what the first staging versions are for, and that a lock of a test key becomes one of live texts. */
export function printFirstStaging(
  { base, before, lock }: PullDraft,
  workspace: string,
  messages: Channel,
): void {
  const staged = lock.parts.filter(({ environment }) => environment === 'test')
  const isFirst = before.parts.every(({ environment }) => environment === 'live')
  if (isFirst && staged.length > 0) {
    const names = displayNames(staged.map(({ slug }) => slug)).join(', ')
    const id = stagingId(workspace)
    messages.line(
      '',
      `${pluralize(staged.length, 'prompt')} ${staged.length === 1 ? 'is' : 'are'} staged: ${names}. In code:`,
      `  import { prompts as staging } from '${id}'`,
    )
  }
  if (base !== undefined && before.environment === 'test' && lock.environment === 'live')
    messages.line('', 'virtual:prompts has the live versions now: every one of them was read.')
}

/** Prints why the lock before a pull was invalid, and how the pull repairs it. */
export function printRepair({ previousLockError, merged }: PullDraft, messages: Channel): void {
  if (previousLockError === undefined) return
  const { code, why } = previousLockError
  const [reason = ''] = why.split('\n')
  const repair = `${reason.replace(/[:.]$/, '')}. ${repairOf(code, merged)}`
  messages.line(messages.mark('warning', repair), '')
}

function repairOf(code: PromptsError['code'], merged: PullDraft['merged']): string {
  if (code === 'LOCK_EDITED') return 'The edited entries are replaced.'
  if (merged === undefined) return 'Its sides could not be merged, so every prompt was read.'
  if (merged.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(merged.map((part) => describePart(part))).join(', ')
  return `Both sides were merged; both changed these: ${names}.`
}

/** The number of notes and the first one, in one line. `prompts show` prints all of a prompt. */
export function printNotes(notes: readonly PromptNotes[], channel: Channel): void {
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

export function printCollisions(collisions: readonly NameCollision[], channel: Channel): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    const warning = `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`
    channel.line(channel.mark('warning', warning))
  }
}
