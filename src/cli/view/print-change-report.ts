/** The Markdown printer of changes: a comment for a pull request. */
import { posix } from 'node:path'
import { codeFrame, IMPACT_TEXTS, type ImpactFinding, type Place } from '../../core/impact.ts'
import {
  changedTexts,
  type ChangeRow,
  type ComparedRow,
  isNotChecked,
  shortenRows,
} from '../../core/change-row.ts'
import {
  countRows,
  describeEffects,
  describeHidden,
  describeImpact,
  describeKept,
  describeKeptVersion,
  describeVersion,
} from '../../core/describe-change.ts'
import type { ImpactReport } from '../../judge/analyse-impact.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { describePart } from '../../core/prompt.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { makeVisible, sanitize } from '../../core/text/sanitize.ts'
import { readablePatch } from '../../features/diff/text-diff.ts'
import { describeListed, describeReason, formatPlace } from './change-view.ts'
import type { EditJson } from './json.ts'

/** The content of a report for a pull request. */
interface ChangeReport {
  /** Name of the workspace. Default: `prompts`. */
  readonly workspace?: string | undefined
  /** The app's folder from the root of its repository, such as `apps/web/`, for places. Default: the root. */
  readonly folder?: string | undefined
  readonly rows: readonly ComparedRow[]
  /** Changes that a pull leaves. Default: none. */
  readonly skipped?: readonly ChangeRow[] | undefined
  /** Prompts that no pull changes. Default: none. */
  readonly held?: readonly HeldPrompt[] | undefined
  /** Files of the app that are edited. Default: none. */
  readonly edits?: readonly EditJson[] | undefined
  /** Parts that stay although the list has another version. Default: none. */
  readonly kept?: readonly KeptPart[] | undefined
  /** `undefined` if the app was not analysed. */
  readonly impact: Pick<ImpactReport, 'findings' | 'files'> | undefined
  /** Why the app could not be analysed. Default: it was, or nobody asked for it. */
  readonly unchecked?: string | undefined
}

/**
 * A Markdown comment for a pull request: the changes, the places that break, and the folded texts. All
 * remote text is escaped, so it can't mention anybody or load anything.
 */
export function printChangeReport(given: ChangeReport): string {
  const report = fromRoot(given)
  const { workspace = DEFAULT_WORKSPACE, rows, edits = [], skipped = [] } = report
  const { impact, unchecked } = report
  const isOnly = workspace === DEFAULT_WORKSPACE
  const counts = rows.length === 0 ? 'nothing changed' : countRows(rows).join(', ')
  const isWhole = impact?.findings.length === 0 && !skipped.some(isNotChecked)
  const tables = [
    // A workflow finds its previous comment by this line.
    `<!-- unplugin-prompts${isOnly ? '' : ` ${workspace}`} -->`,
    `### ${isOnly ? 'Prompts' : workspace}: ${counts}`,
    '',
    ...changeTable(rows, (MAX_LENGTH * 3) / 8),
    ...(isWhole && impact.files > 0 ? ['', describeImpact(impact)] : []),
    ...(unchecked === undefined ? [] : ['', IMPACT_TEXTS.failed(inlineReason(unchecked))]),
    ...sectionsOf(report, MAX_LENGTH / 2 / SECTIONS),
  ].join('\n')
  const folds = [...edits.map(({ file, patch }) => fold(file, patch)), ...rows.flatMap(foldTexts)]
  const visible = takeFitting(folds, MAX_LENGTH - tables.length - NOTE_LENGTH)
  const hidden = folds.length - visible.length
  const more = `… and ${pluralize(hidden, 'more diff')}, for which a comment has no room.`
  const note = hidden === 0 ? '' : `\n${more}\n`
  return `${tables}\n${visible.join('')}${note}`
}

/** The report with places and files from the root of the repository, where a reader finds them. */
function fromRoot({ folder = '', ...report }: ChangeReport): ChangeReport {
  const locate = <At extends { readonly file: string }>(place: At): At => {
    return { ...place, file: posix.join(folder, place.file) }
  }
  return {
    ...report,
    rows: report.rows.map((row) => {
      return { ...row, files: row.files?.map((file) => posix.join(folder, file)) ?? null }
    }),
    impact: report.impact && { ...report.impact, findings: report.impact.findings.map(locate) },
    edits: report.edits?.map(locate),
    skipped: report.skipped?.map((row) => ({ ...row, places: row.places.map(locate) })),
  }
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
    describePart(row, inlineCode),
    describeVersion(row, inlineCode),
    describeEffects(row, inlineCode),
  ])
  const more = describeHidden(hidden)
  const lines = table(['', 'prompt', 'version', 'what'], cells, max)
  return more === undefined ? lines : [...lines, '', `${more}.`]
}

/** The most that {@link sectionsOf} makes, each of the same length. */
const SECTIONS = 6

type Cells = readonly (readonly string[])[]

/** The tables below the changes, each under its title; nothing without rows. */
function sectionsOf(
  {
    impact = { findings: [], files: 0 },
    edits = [],
    skipped = [],
    held = [],
    kept = [],
  }: ChangeReport,
  maxLength: number,
): string[] {
  const section = (title: string, heads: readonly string[], rows: Cells): string[] =>
    rows.length === 0 ? [] : ['', title, '', ...table(heads, rows, maxLength)]
  const { findings } = impact
  const places = findings.map((place) => [
    inlinePlace(place),
    inlineCode(place.slug ?? ''),
    inlineReason(place.reason),
  ])
  const files = edits.map(({ file }) => [inlineCode(file)])
  const pinned = skipped.map((row) => [
    describePart(row, inlineCode),
    describeVersion(row, inlineCode),
    inlineReason(row.reason ?? ''),
    truncateList(row.places.map(inlinePlace), 1).join(', '),
  ])
  const holds = held.map((prompt) => [
    describePart(prompt, inlineCode),
    ...[describeListed(prompt), describeReason(prompt)].map(inlineCode),
  ])
  const others = kept.map((part) => [
    describePart(part, inlineCode),
    describeKeptVersion(part, inlineCode),
    describeKept(part, inlineReason),
  ])
  return [
    ...section(`**${describeImpact(impact)}**`, ['where', 'prompt', 'why'], places),
    ...codeOf(findings, maxLength),
    ...section('**Edited in the app**', ['file'], files),
    ...section('**Left as pinned**', ['prompt', 'version', 'why', 'where'], pinned),
    ...section('**Held**: no pull changes these.', ['prompt', 'version', 'why'], holds),
    ...section('**Versions of the list not pulled**', ['prompt', 'version', 'why'], others),
  ]
}

/** The lines of code at the first findings. */
function codeOf(findings: readonly ImpactFinding[], maxLength: number): string[] {
  const frames = findings.flatMap((finding) => {
    const frame = codeFrame(finding)
    return frame.length === 0 ? [] : [[formatPlace(finding), ...frame].join('\n')]
  })
  const visible = takeFitting(frames, maxLength)
  return visible.length === 0 ? [] : ['', fencedCode(`${visible.join('\n')}\n`, 'text')]
}

function inlinePlace({ file, line, column }: Place): string {
  return inlineCode(`${file}:${line}:${column}`)
}

function inlineReason(reason: string): string {
  return inlineCode(reason.replaceAll('`', ''))
}

/** The rows that fit into the maximum length, and how many are left out. */
function table(heads: readonly string[], rows: Cells, maxLength: number): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const visible = takeFitting(rows.map(line), maxLength)
  const lines = [line(heads), line(heads.map(() => '---')), ...visible]
  const hidden = rows.length - visible.length
  return hidden === 0 ? lines : [...lines, '', `… and ${hidden} more.`]
}

/** The first texts that fit, counting a line break for each. */
function takeFitting(texts: readonly string[], maxLength: number): string[] {
  let remaining = maxLength
  const end = texts.findIndex((text) => {
    remaining -= text.length + 1
    return remaining < 0
  })
  return texts.slice(0, end === -1 ? texts.length : end)
}

/** The texts of one prompt; open if it breaks the app. Nothing without a changed text. */
function foldTexts(row: ComparedRow): string[] {
  const texts = changedTexts(row.change).map(({ field, before, after }) =>
    readablePatch(before ?? '', after ?? '', field),
  )
  return texts.length === 0
    ? []
    : [fold(describePart(row), texts.join(''), row.class === 'breaking')]
}

/** A folded patch. In its summary, Markdown is not read. */
function fold(name: string, patch: string, isOpen = false): string {
  const summary = `<summary><code>${plainWords(name)}</code></summary>`
  const open = isOpen ? ' open' : ''
  return `\n<details${open}>${summary}\n\n${fencedCode(patch, 'diff')}\n</details>\n`
}

/**
 * Remote text as plain words in Markdown. Every character with a meaning in Markdown, HTML or a table
 * is written as a character reference, which has none (CommonMark 6.2).
 */
function plainWords(text: string): string {
  return makeVisible(sanitize(text)).replaceAll(
    /[!-/:-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  )
}

/**
 * The same as inline code. GitHub and GitLab look for mentions, issue links and images only outside
 * of code. Nothing for an empty text.
 */
function inlineCode(text: string): string {
  if (text === '') return ''
  if (/^[\w./:-]+$/.test(text)) return `\`${text}\``
  const words = plainWords(text)
  return `<code>${words.trim() === '' ? '(empty)' : words}</code>`
}

/**
 * Remote text as a code block, with a fence that is longer than any in the text. Hidden characters
 * are shown by name.
 *
 * @param language - such as `diff`
 */
export function fencedCode(text: string, language: string): string {
  const lines = text.replace(/\n$/, '').split('\n').map(makeVisible)
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length)
  const fence = '`'.repeat(runs.reduce((most, length) => Math.max(most, length), 2) + 1)
  return `${fence}${language}\n${lines.join('\n')}\n${fence}\n`
}
