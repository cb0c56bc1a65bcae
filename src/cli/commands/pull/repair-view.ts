import { sanitize } from '../../../core/text/sanitize.ts'
import type { PromptsError } from '../../../errors/prompts-error.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import { displayPath } from '../../command-project.ts'
import { displayNames } from '../../output/describe-change.ts'

/** Prints why the lock before a pull was invalid and how the pull repairs it; nothing for a valid one. */
export function printRepair(
  { path }: Project['lock'],
  { previousLockError, merged }: PullDraft,
  { terminal: { messages }, cwd }: Pick<CommandContext, 'terminal' | 'cwd'>,
): void {
  if (previousLockError === undefined) return
  const [first = ''] = previousLockError.why.split('\n')
  const shownPath = sanitize(displayPath(path, { cwd }))
  const reason = first.replace(sanitize(path), () => shownPath).replace(/[:.]$/, '')
  const repair = describeRepair(previousLockError, merged)
  messages.line(messages.mark('warning', `${reason}. ${repair}`))
  messages.line()
}

function describeRepair({ code }: PromptsError, merged: readonly string[] | undefined): string {
  if (code === 'LOCK_EDITED') return 'The edited entries are replaced.'
  if (merged === undefined) return 'Its sides could not be merged, so every prompt was read.'
  if (merged.length === 0) return 'Both sides were merged; no prompt changed on both.'
  const names = displayNames(merged).join(', ')
  return `Both sides were merged; read from the service, since both changed: ${names}.`
}
