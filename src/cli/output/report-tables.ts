import type { ChangeEffect, ClassifiedChange, SettingField } from '../../core/classify-change.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import type { SkippedChange } from '../../features/pull/draft.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
import type { Place } from '../../features/usage/usage.ts'
import { describeImpact, describeVersion } from './describe-change.ts'
import { describeListed, describeReason } from './held-view.ts'
import type { EditJson } from './json.ts'
import { inlineCode } from './markdown.ts'

/** The changes with their class, version and effects. */
export function changeTable(changes: readonly ClassifiedChange[], maxLength: number): string[] {
  if (changes.length === 0) return []
  const rows = changes.map((each) => [
    each.class === 'breaking' ? '**breaking**' : each.class,
    inlineCode(each.change.slug),
    describeVersion(each.change, inlineCode),
    effectsOf(each),
  ])
  return table(['', 'prompt', 'version', 'what'], rows, maxLength)
}

function effectsOf({ change, isRead, effects }: ClassifiedChange): string {
  const shown = effects.filter((effect) => effect.kind !== 'setting' || effect.field !== 'version')
  if (shown.length === 0 && isRead) return 'a new label for the same prompt'
  const unread = isRead ? [] : ['text not read, no code uses it']
  return [...shown.map((effect) => describe(effect, change)), ...unread].join('; ')
}

function describe(effect: ChangeEffect, change: ClassifiedChange['change']): string {
  switch (effect.kind) {
    case 'prompt-added':
      return 'new'
    case 'prompt-removed':
      return 'removed'
    case 'variable-added':
      return `needs ${inlineCode(effect.name)}`
    case 'variable-removed':
      return `takes no ${inlineCode(effect.name)} any more`
    case 'variable-renamed':
      return `${inlineCode(effect.from)} seems to be called ${inlineCode(effect.to)} now`
    case 'roles':
      return 'other roles'
    case 'text':
      return 'text'
    case 'setting':
      return describeSetting(effect.field, change)
  }
}

function describeSetting(field: SettingField, change: ClassifiedChange['change']): string {
  if (change.kind !== 'updated') return field
  const [before, after] = [change.before[field], change.after[field]].map(String)
  return `${field} ${inlineCode(before ?? '')} → ${inlineCode(after ?? '')}`
}

/** The places in the app that stop working. */
export function impactTable(impact: readonly ImpactFinding[], maxLength: number): string[] {
  if (impact.length === 0) return ['', 'No place in the app stops working.']
  const rows = impact.map((place) => [
    inlinePlace(place),
    place.slug === null ? '' : inlineCode(place.slug),
    inlineCode(place.reason.replaceAll('`', '')),
  ])
  return section(`**${describeImpact(impact)}**`, ['where', 'prompt', 'why'], rows, maxLength)
}

function inlinePlace({ file, line, column }: Place): string {
  return inlineCode(`${file}:${line}:${column}`)
}

/** The files of the app that are edited. */
export function editTable(edits: readonly EditJson[], maxLength: number): string[] {
  const rows = edits.map(({ file }) => [inlineCode(file)])
  return section('**Edited in the app**', ['file'], rows, maxLength)
}

/** The updates that a pull leaves. */
export function skippedTable(skipped: readonly SkippedChange[], maxLength: number): string[] {
  const rows = skipped.map(({ change, reason, places: [first, ...others] }) => [
    inlineCode(change.slug),
    describeVersion(change, inlineCode),
    inlineCode(reason.replaceAll('`', '')),
    (first === undefined ? '' : inlinePlace(first)) +
      (others.length === 0 ? '' : ` and ${others.length} more`),
  ])
  return section('**Left as pinned**', ['prompt', 'version', 'why', 'where'], rows, maxLength)
}

/** The prompts that no pull changes. */
export function heldTable(held: readonly HeldPrompt[], maxLength: number): string[] {
  const rows = held.map((prompt) => {
    const reason = describeReason(prompt)
    return [
      inlineCode(prompt.slug),
      inlineCode(describeListed(prompt)),
      reason === '' ? '' : inlineCode(reason),
    ]
  })
  const heads = ['prompt', 'version', 'why']
  return section('**Held**: no pull changes these.', heads, rows, maxLength)
}

type Rows = readonly (readonly string[])[]

/** A table after its title; nothing without rows. */
function section(title: string, heads: readonly string[], rows: Rows, maxLength: number): string[] {
  return rows.length === 0 ? [] : ['', title, '', ...table(heads, rows, maxLength)]
}

/** The rows that fit into the maximum length, and how many are left out. */
function table(heads: readonly string[], rows: Rows, maxLength: number): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const shown = takeFitting(rows.map(row), maxLength)
  const lines = [row(heads), row(heads.map(() => '---')), ...shown]
  const hidden = rows.length - shown.length
  return hidden === 0 ? lines : [...lines, '', `… and ${hidden} more.`]
}

/** The first texts that fit, counting a line break for each. */
export function takeFitting(texts: readonly string[], maxLength: number): string[] {
  let left = maxLength
  const end = texts.findIndex((text) => {
    left -= text.length + 1
    return left < 0
  })
  return texts.slice(0, end === -1 ? texts.length : end)
}
