import {
  CHANGE_CLASSES,
  type ChangeClass,
  type ChangeEffect,
  type ClassifiedChange,
  type SettingField,
} from '../../core/classify-change.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
import type { SkippedChange } from '../../features/pull/skipped-change.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { describeListed } from './held-view.ts'
import { fencedCode, inlineCode } from './markdown.ts'

/** One changed prompt, with the patches of its texts. */
export interface ReportedChange extends ClassifiedChange {
  readonly patches: readonly {
    /** The field: system, user or source. */
    readonly field: string
    /** A unified patch. */
    readonly patch: string
  }[]
}

/** A place that breaks. */
export type ReportedPlace = Pick<ImpactFinding, 'file' | 'line' | 'column' | 'slug' | 'reason'>

/** The content of a report for a pull request. */
export interface ChangeReport {
  /** Name of the workspace. Default: `prompts`. */
  readonly workspace?: string | undefined
  readonly changes: readonly ReportedChange[]
  /** Changes that were not taken, since the app would break. Default: none. */
  readonly skipped?: readonly SkippedChange[] | undefined
  /** Prompts that no pull changes. Default: none. */
  readonly held?: readonly HeldPrompt[] | undefined
  /** `undefined` if the app was not analysed. */
  readonly impact: readonly ReportedPlace[] | undefined
  /**
   * Maximum number of characters. Text diffs beyond it are omitted, with a note. Default: 60,000,
   * since GitHub rejects comments of more than 65,536.
   */
  readonly limit?: number | undefined
}

/**
 * The first line of the comment on a workspace, by which a workflow finds its previous comment.
 *
 * @param workspace - its name
 */
export function reportMarker(workspace: string): string {
  return `<!-- unplugin-prompts${workspace === DEFAULT_WORKSPACE ? '' : ` ${workspace}`} -->`
}

/**
 * A Markdown comment for a pull request: the changes by class, the places that break, and the
 * folded texts. All remote text is escaped, so it can't mention anybody or load anything.
 */
export function printChangeReport({
  workspace = DEFAULT_WORKSPACE,
  changes,
  skipped = [],
  held = [],
  impact,
  limit = 60_000,
}: ChangeReport): string {
  const ordered = CHANGE_CLASSES.flatMap((name) => changes.filter((each) => each.class === name))
  const head = [
    reportMarker(workspace),
    `### ${workspace === DEFAULT_WORKSPACE ? 'Prompts' : workspace}: ${countsOf(ordered)}`,
    '',
    ...changeTable(ordered, limit / 2),
  ]
  const places = impact === undefined ? [] : impactTable(impact, limit / 4)
  const more = [...skippedTable(skipped, limit / 8), ...heldTable(held, limit / 8)]
  const tables = [...head, ...places, ...more].join('\n')
  const command = formatCommand(workspace, 'diff')
  return `${tables}\n${foldedTexts(ordered, command, limit - tables.length - NOTE_LENGTH)}`
}

/** Reserved for the note about omitted texts. */
const NOTE_LENGTH = 200

function countsOf(changes: readonly ReportedChange[]): string {
  if (changes.length === 0) return 'nothing changed'
  return CHANGE_CLASSES.flatMap((name) => {
    const count = changes.filter((each) => each.class === name).length
    return count === 0 ? [] : [`${count} ${name}`]
  }).join(', ')
}

function changeTable(changes: readonly ReportedChange[], maxLength: number): string[] {
  if (changes.length === 0) return []
  const rows = changes.map((each) => {
    const { slug } = each.change
    return [TITLES[each.class], inlineCode(slug), versionOf(each), effectsOf(each)]
  })
  return table(['', 'prompt', 'version', 'what'], rows, maxLength)
}

const TITLES: Readonly<Record<ChangeClass, string>> = {
  breaking: '**breaking**',
  soft: 'soft',
  text: 'text',
  settings: 'settings',
  added: 'added',
}

function versionOf({ change }: Pick<ClassifiedChange, 'change'>): string {
  if (change.kind === 'added') return inlineCode(change.after.version)
  const before = inlineCode(change.before.version)
  if (change.kind === 'removed') return before
  const after = inlineCode(change.after.version)
  return before === after ? after : `${before} → ${after}`
}

function effectsOf({ change, effects }: ClassifiedChange): string {
  const shown = effects.filter((effect) => effect.kind !== 'setting' || effect.field !== 'version')
  if (shown.length === 0) return 'a new label for the same prompt'
  return shown.map((effect) => describe(effect, change)).join('; ')
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

function impactTable(impact: readonly ReportedPlace[], maxLength: number): string[] {
  if (impact.length === 0) return ['', 'No place in the app stops working.']
  const places = impact.length === 1 ? '1 place stops' : `${impact.length} places stop`
  const rows = impact.map(({ file, line, column, slug, reason }) => [
    inlineCode(`${file}:${line}:${column}`),
    slug === null ? '' : inlineCode(slug),
    inlineCode(reason.replaceAll('`', '')),
  ])
  return ['', `**${places} working**`, '', ...table(['where', 'prompt', 'why'], rows, maxLength)]
}

function skippedTable(skipped: readonly SkippedChange[], maxLength: number): string[] {
  if (skipped.length === 0) return []
  const rows = skipped.map(({ change, reason, places: [first, ...others] }) => [
    inlineCode(change.slug),
    versionOf({ change }),
    inlineCode(reason.replaceAll('`', '')),
    first === undefined
      ? ''
      : inlineCode(`${first.file}:${first.line}:${first.column}`) +
        (others.length === 0 ? '' : ` and ${others.length} more`),
  ])
  const heads = ['prompt', 'version', 'why', 'where']
  return ['', '**Left as pinned**: the app needs it.', '', ...table(heads, rows, maxLength)]
}

function heldTable(held: readonly HeldPrompt[], maxLength: number): string[] {
  if (held.length === 0) return []
  const rows = held.map(({ slug, version, update, reason }) => [
    inlineCode(slug),
    inlineCode(describeListed(version, update ?? undefined)),
    reason === '' ? '' : inlineCode(reason),
  ])
  return [
    '',
    '**Held**: no pull changes these.',
    '',
    ...table(['prompt', 'version', 'why'], rows, maxLength),
  ]
}

/** The rows that fit into the maximum length, and how many are left out. */
function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  maxLength: number,
): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const shown = takeFitting(rows.map(row), maxLength)
  const lines = [row(heads), row(heads.map(() => '---')), ...shown]
  const hidden = rows.length - shown.length
  return hidden === 0 ? lines : [...lines, '', `… and ${hidden} more.`]
}

function foldedTexts(
  changes: readonly ReportedChange[],
  command: string,
  maxLength: number,
): string {
  const folds = changes.flatMap(({ change, patches }) =>
    patches.map(({ field, patch }) => {
      const summary = `<summary>${inlineCode(change.slug)} ${field}</summary>`
      return `\n<details>${summary}\n\n${fencedCode(patch, 'diff')}\n</details>\n`
    }),
  )
  const shown = takeFitting(folds, maxLength)
  const hidden = folds.length - shown.length
  const note = hidden === 0 ? '' : `\n${hidden} more text diffs: \`npx ${command}\` shows them.\n`
  return shown.join('') + note
}

/** The first texts that fit, counting a line break for each. */
function takeFitting(texts: readonly string[], maxLength: number): string[] {
  let left = maxLength
  const end = texts.findIndex((text) => {
    left -= text.length + 1
    return left < 0
  })
  return texts.slice(0, end === -1 ? texts.length : end)
}
