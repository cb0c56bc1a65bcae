/** The Markdown printer of changes: a comment for a pull request. */
import {
  changedTexts,
  type ChangeRow,
  type ComparedRow,
  shortenRows,
} from '../../core/change-row.ts'
import {
  countRows,
  describeEffects,
  describeHidden,
  describeImpact,
  describeVersion,
} from '../../core/describe-change.ts'
import type { HeldPrompt, StagedPrompt } from '../../core/drift.ts'
import type { ImpactFinding, Place } from '../../core/impact.ts'
import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { unifiedPatch } from '../../features/diff/text-diff.ts'
import { describeListed, describeReason } from './change-view.ts'
import type { EditJson } from './json.ts'
import { fencedCode, inlineCode, plainWords } from './markdown.ts'

/** The content of a report for a pull request. */
export interface ChangeReport {
  /** Name of the workspace. Default: `prompts`. */
  readonly workspace?: string | undefined
  readonly rows: readonly ComparedRow[]
  /** Changes that a pull leaves. Default: none. */
  readonly skipped?: readonly ChangeRow[] | undefined
  /** Prompts that no pull changes. Default: none. */
  readonly held?: readonly HeldPrompt[] | undefined
  /** Files of the app that are edited. Default: none. */
  readonly edits?: readonly EditJson[] | undefined
  /** Prompts that have a staging version. Default: none. */
  readonly staged?: readonly StagedPrompt[] | undefined
  /** `undefined` if the app was not analysed. */
  readonly findings: readonly ImpactFinding[] | undefined
}

/**
 * The first line of the comment on a workspace. A workflow finds its previous comment by it.
 *
 * @param workspace - its name
 */
export function reportMarker(workspace: string): string {
  return `<!-- unplugin-prompts${workspace === DEFAULT_WORKSPACE ? '' : ` ${workspace}`} -->`
}

/**
 * A Markdown comment for a pull request: the changes, the places that break, and the folded texts. All
 * remote text is escaped, so it can't mention anybody or load anything.
 *
 * @param reports - about the lock, or about the live lock and then the test lock, which share the length
 */
export function printChangeReports(reports: readonly ChangeReport[]): string {
  const max = MAX_LENGTH / reports.length
  return reports.map((report, index) => printReport(report, index > 0, max)).join('\n')
}

function printReport(
  {
    workspace = DEFAULT_WORKSPACE,
    rows,
    skipped = [],
    held = [],
    edits = [],
    staged = [],
    findings,
  }: ChangeReport,
  isStaging: boolean,
  max: number,
): string {
  const name = workspace === DEFAULT_WORKSPACE ? 'Prompts' : workspace
  const title = isStaging ? `${name}, staging` : name
  const counts = rows.length === 0 ? 'nothing changed' : countRows(rows).join(', ')
  const tables = [
    ...(isStaging ? [] : [reportMarker(workspace)]),
    `### ${title}: ${counts}`,
    '',
    ...changeTable(rows, (max * 3) / 8),
    ...(findings === undefined ? [] : impactTable(findings, max / 4)),
    ...editTable(edits, max / 8),
    ...skippedTable(skipped, max / 8),
    ...heldTable(held, max / 16),
    ...stagedTable(staged, max / 16),
  ].join('\n')
  const command = formatCommand(workspace, 'diff')
  const folds = [
    ...edits.map(({ file, patch }) => fold(summaryCode(file), patch)),
    ...rows.flatMap(foldTexts),
  ]
  const shown = takeFitting(folds, max - tables.length - NOTE_LENGTH)
  const hidden = folds.length - shown.length
  const note = hidden === 0 ? '' : `\n${hidden} more text diffs: \`npx ${command}\` shows them.\n`
  return `${tables}\n${shown.join('')}${note}`
}

/** GitHub rejects comments of more than 65,536 characters. The tables share this; diffs get the rest. */
const MAX_LENGTH = 60_000

/** Reserved for the note about omitted texts. */
const NOTE_LENGTH = 200

function changeTable(rows: readonly ChangeRow[], max: number): string[] {
  if (rows.length === 0) return []
  const { visible, hidden } = shortenRows(rows)
  const cells = visible.map((row) => [
    row.class === 'breaking' ? '**breaking**' : row.class,
    inlineCode(row.slug),
    describeVersion(row, inlineCode),
    describeEffects(row, inlineCode),
  ])
  const more = describeHidden(hidden)
  const lines = table(['', 'prompt', 'version', 'what'], cells, max)
  return more === undefined ? lines : [...lines, '', `${more}.`]
}

/** The places in the app that stop working. */
function impactTable(findings: readonly ImpactFinding[], max: number): string[] {
  if (findings.length === 0) return ['', 'No place in the app stops working.']
  const rows = findings.map((place) => [
    inlinePlace(place),
    place.slug === null ? '' : inlineCode(place.slug),
    inlineReason(place.reason),
  ])
  const heads = ['where', 'prompt', 'why']
  return section(`**${describeImpact(findings)}**`, heads, rows, max)
}

/** The files of the app that are edited. */
function editTable(edits: readonly EditJson[], max: number): string[] {
  const rows = edits.map(({ file }) => [inlineCode(file)])
  return section('**Edited in the app**', ['file'], rows, max)
}

/** The updates that a pull leaves. */
function skippedTable(rows: readonly ChangeRow[], max: number): string[] {
  const cells = rows.map((row) => {
    const [first, ...others] = row.places
    const place = first === undefined ? '' : inlinePlace(first)
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const version = describeVersion(row, inlineCode)
    return [inlineCode(row.slug), version, inlineReason(row.reason ?? ''), place + more]
  })
  const heads = ['prompt', 'version', 'why', 'where']
  return section('**Left as pinned**', heads, cells, max)
}

/** The prompts that no pull changes. */
function heldTable(held: readonly HeldPrompt[], max: number): string[] {
  const rows = held.map((prompt) => {
    const reason = describeReason(prompt)
    return [
      inlineCode(prompt.slug),
      inlineCode(describeListed(prompt)),
      reason === '' ? '' : inlineCode(reason),
    ]
  })
  const heads = ['prompt', 'version', 'why']
  return section('**Held**: no pull changes these.', heads, rows, max)
}

/** The prompts that an author may publish. */
function stagedTable(staged: readonly StagedPrompt[], max: number): string[] {
  const rows = staged.map(({ slug, version }) => [inlineCode(slug), inlineCode(version)])
  return section('**Staging versions**, not live yet', ['prompt', 'version'], rows, max)
}

function inlinePlace({ file, line, column }: Place): string {
  return inlineCode(`${file}:${line}:${column}`)
}

function inlineReason(reason: string): string {
  return inlineCode(reason.replaceAll('`', ''))
}

type Cells = readonly (readonly string[])[]

/** A table after its title; nothing without rows. */
function section(
  title: string,
  heads: readonly string[],
  rows: Cells,
  maxLength: number,
): string[] {
  return rows.length === 0 ? [] : ['', title, '', ...table(heads, rows, maxLength)]
}

/** The rows that fit into the maximum length, and how many are left out. */
function table(heads: readonly string[], rows: Cells, maxLength: number): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const shown = takeFitting(rows.map(line), maxLength)
  const lines = [line(heads), line(heads.map(() => '---')), ...shown]
  const hidden = rows.length - shown.length
  return hidden === 0 ? lines : [...lines, '', `… and ${hidden} more.`]
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

/** The texts of one prompt; open if it breaks the app. Nothing without a changed text. */
function foldTexts({ slug, change, class: kind }: ComparedRow): string[] {
  const texts = changedTexts(change).map(({ field, before, after }) => {
    const patch = unifiedPatch(before ?? '', after ?? '', { old: field, now: field })
    return patch.replaceAll(/^\\ No newline.*\n/gm, '')
  })
  return texts.length === 0 ? [] : [fold(summaryCode(slug), texts.join(''), kind === 'breaking')]
}

/** In a summary, Markdown is not read. */
function summaryCode(text: string): string {
  return `<code>${plainWords(text)}</code>`
}

function fold(title: string, patch: string, isOpen = false): string {
  const open = isOpen ? ' open' : ''
  return `\n<details${open}><summary>${title}</summary>\n\n${fencedCode(patch, 'diff')}\n</details>\n`
}
