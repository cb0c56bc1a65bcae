import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import type { PromptChange, PromptField } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { detectRename } from '../../core/rename.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import type { Place } from '../../features/usage/usage.ts'
import { truncate } from './display-width.ts'

/** A position in the app for one line: `src/main.ts:3:7`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${sanitize(file)}:${line}:${column}`
}

/** The number of files, or the name of the only one. */
export function describeFiles(files: readonly Pick<Place, 'file'>[]): string {
  const [first] = files
  return first !== undefined && files.length === 1
    ? sanitize(first.file)
    : pluralize(files.length, 'file')
}

/** One remark about a changed prompt. `contract` means that a call of `render` may break. */
export interface Remark {
  readonly kind: 'contract' | 'settings' | 'text'
  readonly text: string
}

type Updated = Extract<PromptChange, { kind: 'updated' }>

/** The version labels, `v22 → v23`, or one label if they are the same. Sanitized. */
export function describeVersion(change: PromptChange): string {
  if (change.kind === 'removed') return sanitize(change.before.version)
  const after = sanitize(change.after.version)
  if (change.kind !== 'updated' || change.before.version === change.after.version) return after
  return `${sanitize(change.before.version)} → ${after}`
}

/** The remarks about an update, the contract first. Sanitized. */
export function describeUpdate(change: Updated): Remark[] {
  return [...contractRemarks(change), ...settingRemarks(change), ...textRemarks(change)]
}

/** More variables are only counted, and longer names are truncated. */
const MAX_NAMES = 10
const NAME_WIDTH = 60

/** Variable names for one line, sanitized. */
export function displayNames(names: readonly string[]): string[] {
  return truncateList(names, MAX_NAMES).map((name) => truncate(sanitize(name), NAME_WIDTH))
}

/** The changed variables: `+tone`, `-name`, or `~ name → customer_name (renamed?)`. */
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

/** The changed texts, and whether the version label changed. */
function textRemarks({ before, after, fields }: Updated): Remark[] {
  const relabelled = before.version !== after.version
  const texts = changedTextNames(fields)
  if (texts === '') return [{ kind: 'text', text: relabelled ? 'same text' : 'settings only' }]
  return [{ kind: 'text', text: relabelled ? texts : `${texts} rewritten under the same label` }]
}

/** Such as `system and user text`; empty if no text changed. */
function changedTextNames(fields: readonly PromptField[]): string {
  const names = (['system', 'user'] as const).filter((field) => fields.includes(field))
  if (names.length > 0) return `${names.join(' and ')} text`
  return fields.includes('source') ? 'whole text' : ''
}
