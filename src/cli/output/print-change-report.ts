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
import type { SkippedChange } from '../../features/pull/skipped-change.ts'
import { changedTexts } from './changed-texts.ts'
import { fencedCode, inlineCode } from './markdown.ts'
import {
  changeTable,
  heldTable,
  editTable,
  impactTable,
  type ReportedEdit,
  type ReportedPlace,
  skippedTable,
  takeFitting,
} from './report-tables.ts'

/** One changed prompt, with the patches of its texts. */
export interface ReportedChange extends ClassifiedChange {
  readonly patches: readonly {
    /** The field: system, user or source. */
    readonly field: string
    /** A unified patch. */
    readonly patch: string
  }[]
}

/** The content of a report for a pull request. */
export interface ChangeReport {
  /** Name of the workspace. Default: `prompts`. */
  readonly workspace?: string | undefined
  readonly changes: readonly ReportedChange[]
  /** Changes that were not taken. Default: none. */
  readonly skipped?: readonly SkippedChange[] | undefined
  /** Prompts that no pull changes. Default: none. */
  readonly held?: readonly HeldPrompt[] | undefined
  /** Files of the app that are edited. Default: none. */
  readonly edits?: readonly ReportedEdit[] | undefined
  /** `undefined` if the app was not analysed. */
  readonly impact: readonly ReportedPlace[] | undefined
  /**
   * Maximum number of characters. Text diffs beyond it are omitted, with a note. Default: 60,000,
   * since GitHub rejects comments of more than 65,536.
   */
  readonly limit?: number | undefined
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
  skipped = [],
  held = [],
  edits = [],
  impact,
  limit = 60_000,
}: ChangeReport): string {
  const ordered = CHANGE_CLASSES.flatMap((name) => changes.filter((each) => each.class === name))
  const title = workspace === DEFAULT_WORKSPACE ? 'Prompts' : workspace
  const tables = [
    reportMarker(workspace),
    `### ${title}: ${countsOf(ordered)}`,
    '',
    ...changeTable(ordered, limit / 2),
    ...(impact === undefined ? [] : impactTable(impact, limit / 4)),
    ...editTable(edits, limit / 8),
    ...skippedTable(skipped, limit / 8),
    ...heldTable(held, limit / 8),
  ].join('\n')
  const command = formatCommand(workspace, 'diff')
  const texts = { changes: ordered, edits }
  return `${tables}\n${foldedTexts(texts, command, limit - tables.length - NOTE_LENGTH)}`
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

function foldedTexts(
  { changes, edits }: { changes: readonly ReportedChange[]; edits: readonly ReportedEdit[] },
  command: string,
  maxLength: number,
): string {
  const fold = (title: string, patch: string): string =>
    `\n<details><summary>${title}</summary>\n\n${fencedCode(patch, 'diff')}\n</details>\n`
  const folds = [
    ...edits.map(({ file, patch }) => fold(inlineCode(file), patch)),
    ...changes.flatMap(({ change, patches }) =>
      patches.map(({ field, patch }) => fold(`${inlineCode(change.slug)} ${field}`, patch)),
    ),
  ]
  const shown = takeFitting(folds, maxLength)
  const hidden = folds.length - shown.length
  const note = hidden === 0 ? '' : `\n${hidden} more text diffs: \`npx ${command}\` shows them.\n`
  return shown.join('') + note
}

/** The changes as a Markdown comment for a pull request. */
export function markdownReport({
  changes,
  ...rest
}: Omit<ChangeReport, 'changes'> & { readonly changes: readonly PromptChange[] }): string {
  const reported = classifyChanges(changes).map((classified) => ({
    ...classified,
    patches: changedTexts(classified.change).map(({ field, before = '', after = '' }) => ({
      field,
      patch: unifiedPatch(before, after, { old: 'before', now: 'after' }),
    })),
  }))
  return printChangeReport({ ...rest, changes: reported })
}
