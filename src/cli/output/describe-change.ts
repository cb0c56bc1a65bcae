import { truncateList } from '../../core/text/pluralize.ts'
import type { PromptChange, PromptField } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { detectRename } from '../../core/rename.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { truncate } from './display-width.ts'

/** One remark on a changed prompt; `contract` is one that may break a call of `render`. */
export interface Remark {
  readonly kind: 'contract' | 'settings' | 'text'
  readonly text: string
}

type Updated = Extract<PromptChange, { kind: 'updated' }>

/** The label before and after, `v22 → v23`, or the one where they are the same; sanitized. */
export function describeVersion(change: PromptChange): string {
  if (change.kind === 'removed') return sanitize(change.before.version)
  const after = sanitize(change.after.version)
  if (change.kind !== 'updated' || change.before.version === change.after.version) return after
  return `${sanitize(change.before.version)} → ${after}`
}

/** What an update means, the contract first; every text sanitized. */
export function describeUpdate(change: Updated): Remark[] {
  return [...contractRemarks(change), ...settingRemarks(change), ...textRemarks(change)]
}

/** More variables than this are only counted, and longer names are cut. */
const MAX_NAMES = 10
const NAME_WIDTH = 60

/** Names of variables for one line, sanitized. */
export function displayNames(names: readonly string[]): string[] {
  return truncateList(names, MAX_NAMES).map((name) => truncate(sanitize(name), NAME_WIDTH))
}

/** How the variables changed: `+tone`, `-name`, or `~ name → customer_name (renamed?)`. */
export function contractRemarks({ before, after, variables }: Updated): Remark[] {
  const rename = detectRename(before, after, variables)
  const texts =
    rename === undefined
      ? [
          ...displayNames(variables.added.map((name) => `+${name}`)),
          ...displayNames(variables.removed.map((name) => `-${name}`)),
        ]
      : [`~ ${displayNames([rename.from, rename.to]).join(' → ')} (renamed?)`]
  return texts.map((text) => ({ kind: 'contract', text }))
}

const SETTINGS = ['folder', 'model', 'temperature'] as const satisfies readonly PromptField[]

/** The changed settings, such as `model gpt-5 → gpt-5.1`. */
export function settingRemarks({ before, after, fields }: Updated): Remark[] {
  return SETTINGS.filter((field) => fields.includes(field)).map((field) => ({
    kind: 'settings',
    text: `${field} ${shown(before, field)} → ${shown(after, field)}`,
  }))
}

function shown(prompt: PinnedPrompt, field: (typeof SETTINGS)[number]): string {
  const text = sanitize(String(prompt[field]))
  return text === '' ? '(none)' : text
}

/** Which texts are new, and what the version label does not tell of them. */
function textRemarks({ before, after, fields }: Updated): Remark[] {
  const relabelled = before.version !== after.version
  const texts = changedTextNames(fields)
  if (texts === '') return [{ kind: 'text', text: relabelled ? 'same text' : 'settings only' }]
  return [{ kind: 'text', text: relabelled ? texts : `${texts} rewritten under the same label` }]
}

/** Such as `system and user text`; empty where no text changed. */
function changedTextNames(fields: readonly PromptField[]): string {
  const names = (['system', 'user'] as const).filter((field) => fields.includes(field))
  if (names.length > 0) return `${names.join(' and ')} text`
  return fields.includes('source') ? 'whole text' : ''
}
