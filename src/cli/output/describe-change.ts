import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import {
  type ChangedPrompt,
  changeSides,
  type PromptChange,
  type PromptField,
} from '../../core/compare.ts'
import { findJoin, type PromptText } from '../../core/prompt.ts'
import { detectRename } from '../../core/rename.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
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

/** One text of a prompt on both sides; `null` if a side has no such prompt. */
export type ChangedText = {
  readonly field: PromptText['field']
  readonly before: string | null
  readonly after: string | null
}

/**
 * The texts that a change affects. `source` is included only if it isn't a join of system and user,
 * or if only the separator changed.
 */
export function changedTexts(change: ChangedPrompt): ChangedText[] {
  const { before, after } = changeSides(change)
  const fields = (['system', 'user', 'source'] as const).filter(
    (field) => (before?.[field] ?? '') !== (after?.[field] ?? ''),
  )
  const hasOwnSource = [before, after].some((prompt) => prompt && findJoin(prompt) === undefined)
  return fields
    .filter((field) => field !== 'source' || hasOwnSource || fields.length === 1)
    .map((field) => ({
      field,
      before: before?.[field] ?? null,
      after: after?.[field] ?? null,
    }))
}

/** The number of places that stop working, and of those that may. */
export function describeImpact(findings: readonly Pick<ImpactFinding, 'kind'>[]): string {
  const unclear = findings.filter(({ kind }) => kind === 'unclear').length
  const broken = findings.length - unclear
  const parts = [
    broken > 0 ? `${pluralize(broken, 'place')} ${broken === 1 ? 'stops' : 'stop'} working` : '',
    unclear > 0 ? `${pluralize(unclear, 'place')} may stop working` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** A change of a prompt that both sides have. */
export type UpdatedPrompt = Extract<PromptChange, { kind: 'updated' }>

/**
 * The version labels, `v22 → v23`, or one label if they are the same.
 *
 * @param show - escapes a label. Default: for a terminal
 */
export function describeVersion(
  change: PromptChange,
  show: (text: string) => string = sanitize,
): string {
  if (change.kind === 'removed') return show(change.before.version)
  const after = show(change.after.version)
  if (change.kind !== 'updated' || change.before.version === change.after.version) return after
  return `${show(change.before.version)} → ${after}`
}

/** Longer names and reasons are truncated. */
const NAME_WIDTH = 60
const REASON_WIDTH = 300

/** A slug or the name of a variable for one line, sanitized. */
export function displayName(name: string): string {
  return truncate(sanitize(name), NAME_WIDTH)
}

/** More variables are only counted. */
const MAX_NAMES = 10

/** Names of variables for one line, sanitized. */
export function displayNames(names: readonly string[]): string[] {
  return truncateList(names, MAX_NAMES).map(displayName)
}

/** Why something breaks, for one line, sanitized: it may contain very long names. */
export function displayReason(reason: string): string {
  return truncate(sanitize(reason), REASON_WIDTH)
}

/**
 * The changed variables, which may break calls of `render`: `+tone`, `-name`, or
 * `~ name → customer_name (renamed?)`. Sanitized.
 */
export function describeContract({ before, after, variables }: UpdatedPrompt): string[] {
  const rename = detectRename(before, after, variables)
  if (rename !== undefined)
    return [`~ ${displayNames([rename.from, rename.to]).join(' → ')} (renamed?)`]
  return [
    ...displayNames(variables.added.map((name) => `+${name}`)),
    ...displayNames(variables.removed.map((name) => `-${name}`)),
  ]
}

const SETTINGS = ['folder', 'model', 'temperature'] as const satisfies readonly PromptField[]

/** The changed settings, such as `model gpt-5 → gpt-5.1`. Sanitized. */
export function describeSettings({ before, after, fields }: UpdatedPrompt): string[] {
  return SETTINGS.filter((field) => fields.includes(field)).map((field) => {
    const [old, now] = [before, after].map((prompt) => sanitize(String(prompt[field])) || '(none)')
    return `${field} ${old} → ${now}`
  })
}

/** The changed texts, such as `system and user text`, and whether the version label changed. */
export function describeTexts({ before, after, fields }: UpdatedPrompt): string {
  const isRelabelled = before.version !== after.version
  const names = (['system', 'user'] as const).filter((field) => fields.includes(field))
  if (names.length === 0 && !fields.includes('source'))
    return isRelabelled ? 'same text' : 'settings only'
  const texts = names.length === 0 ? 'whole text' : `${names.join(' and ')} text`
  return isRelabelled ? texts : `${texts} rewritten under the same label`
}
