import type { HeldPrompt } from '../../core/drift.ts'
import { isEdited } from '../../core/prompt.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { printRows } from './table.ts'
import type { Channel } from './channel.ts'

/** Prints the held prompts below other output, after an empty line; nothing for none. */
export function printHeldSection(held: readonly HeldPrompt[], channel: Channel): void {
  if (held.length === 0) return
  channel.line()
  printHeld(held, channel)
}

/** Prints the held prompts with their reasons and pending updates. */
export function printHeld(held: readonly HeldPrompt[], channel: Channel): void {
  channel.line(`${pluralize(held.length, 'prompt')} held, and unchanged by pulls:`)
  const rows = held.map((prompt) => [
    `  ${sanitize(prompt.slug)}`,
    describeListed(prompt),
    channel.dim(sanitize(describeReason(prompt))),
  ])
  printRows(rows, channel)
}

/** Why a prompt is held, and whether its text was edited here; not sanitized. */
export function describeReason({ version, reason }: Omit<HeldPrompt, 'update'>): string {
  const edited = isEdited({ version, held: { reason } }) ? ['edited here'] : []
  return [...edited, ...(reason === '' ? [] : [reason])].join(': ')
}

/** `v22`, `v22 → v23`, `v22 → (model)`, or `v22 → gone`; sanitized. */
export function describeListed({
  version,
  update,
}: Pick<HeldPrompt, 'version' | 'update'>): string {
  if (!update) return sanitize(version)
  if (update.kind === 'removed') return `${sanitize(version)} → gone`
  const others = update.fields.filter((field) => field !== 'version')
  const label = update.version === version ? '' : `${sanitize(update.version)} `
  const settings = others.length === 0 ? '' : `(${others.join(', ')})`
  return `${sanitize(version)} → ${label}${settings}`.trim()
}
