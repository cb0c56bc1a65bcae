import {
  CHANGE_CLASSES,
  classifyChanges,
  type ClassifiedChange,
} from '../../core/classify-change.ts'
import type { PromptChange } from '../../core/compare.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { unifiedPatch } from '../../features/diff/text-diff.ts'
import type { SkippedChange } from '../../features/pull/draft.ts'
import type { ImpactFinding } from '../../features/usage/impact.ts'
import { changedTexts } from './describe-change.ts'
import type { EditJson } from './json.ts'
import { fencedCode, plainWords } from './markdown.ts'
import {
  changeTable,
  heldTable,
  editTable,
  impactTable,
  skippedTable,
  takeFitting,
} from './report-tables.ts'

/** The content of a report for a pull request. */
export interface ChangeReport {
  /** Name of the workspace. Default: `prompts`. */
  readonly workspace?: string | undefined
  readonly changes: readonly PromptChange[]
  /** Prompts whose texts were not read. Default: none. */
  readonly unread?: readonly string[] | undefined
  /** Changes that were not taken. Default: none. */
  readonly skipped?: readonly SkippedChange[] | undefined
  /** Prompts that no pull changes. Default: none. */
  readonly held?: readonly HeldPrompt[] | undefined
  /** Files of the app that are edited. Default: none. */
  readonly edits?: readonly EditJson[] | undefined
  /** `undefined` if the app was not analysed. */
  readonly impact: readonly ImpactFinding[] | undefined
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
 * A Markdown comment for a pull request: the changes by class, the places that break, and the
 * folded texts. All remote text is escaped, so it can't mention anybody or load anything.
 */
export function printChangeReport({
  workspace = DEFAULT_WORKSPACE,
  changes,
  unread,
  skipped = [],
  held = [],
  edits = [],
  impact,
}: ChangeReport): string {
  const classified = classifyChanges(changes, impact, unread)
  const ordered = CHANGE_CLASSES.flatMap((name) => classified.filter((each) => each.class === name))
  const title = workspace === DEFAULT_WORKSPACE ? 'Prompts' : workspace
  const tables = [
    reportMarker(workspace),
    `### ${title}: ${countsOf(ordered)}`,
    '',
    ...changeTable(ordered, (MAX_LENGTH * 3) / 8),
    ...(impact === undefined ? [] : impactTable(impact, MAX_LENGTH / 4)),
    ...editTable(edits, MAX_LENGTH / 8),
    ...skippedTable(skipped, MAX_LENGTH / 8),
    ...heldTable(held, MAX_LENGTH / 8),
  ].join('\n')
  const command = formatCommand(workspace, 'diff')
  const folds = [
    ...edits.map(({ file, patch }) => fold(summaryCode(file), patch)),
    ...ordered.flatMap(foldTexts),
  ]
  const shown = takeFitting(folds, MAX_LENGTH - tables.length - NOTE_LENGTH)
  const hidden = folds.length - shown.length
  const note = hidden === 0 ? '' : `\n${hidden} more text diffs: \`npx ${command}\` shows them.\n`
  return `${tables}\n${shown.join('')}${note}`
}

/** GitHub rejects comments of more than 65,536 characters. The tables share this; diffs get the rest. */
const MAX_LENGTH = 60_000

/** Reserved for the note about omitted texts. */
const NOTE_LENGTH = 200

function countsOf(changes: readonly ClassifiedChange[]): string {
  if (changes.length === 0) return 'nothing changed'
  return CHANGE_CLASSES.flatMap((name) => {
    const count = changes.filter((each) => each.class === name).length
    return count === 0 ? [] : [`${count} ${name}`]
  }).join(', ')
}

/** The texts of one prompt; open if it breaks the app. Nothing without a changed text. */
function foldTexts({ change, class: kind }: ClassifiedChange): string[] {
  const texts = changedTexts(change).map(({ field, before, after }) => {
    const patch = unifiedPatch(before ?? '', after ?? '', { old: field, now: field })
    return patch.replaceAll(/^\\ No newline.*\n/gm, '')
  })
  if (texts.length === 0) return []
  return [fold(summaryCode(change.slug), texts.join(''), kind === 'breaking')]
}

/** In a summary, Markdown is not read. */
function summaryCode(text: string): string {
  return `<code>${plainWords(text)}</code>`
}

function fold(title: string, patch: string, isOpen = false): string {
  const open = isOpen ? ' open' : ''
  return `\n<details${open}><summary>${title}</summary>\n\n${fencedCode(patch, 'diff')}\n</details>\n`
}
