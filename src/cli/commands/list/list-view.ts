import { promptVariables } from '../../../core/compare.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { type Drift, heldPrompts, type ListedUpdate, listedValues } from '../../../core/drift.ts'
import { compareCodePoints } from '../../../core/text/order.ts'
import type { Lock, PinnedPrompt } from '../../../core/prompt.ts'
import type { DriftReport } from '../../../features/diff/drift.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import displayWidth from 'fast-string-width'
import { truncate } from '../../output/display-width.ts'
import { describeListed, printHeldSection } from '../../output/held-view.ts'
import { charactersOf, listedUpdates } from './json-list.ts'
import { alignColumns } from '../../output/table.ts'
import type { Channel } from '../../output/channel.ts'
import { displayPath, type ProjectContext } from '../../project-command.ts'
import type { ListedPrompts } from './select-prompts.ts'

/** Prints the prompts of a lock as one table, grouped by folder. */
export function printList({ lock, drift }: ListedPrompts, context: ProjectContext): void {
  const { stdout, messages } = context.terminal
  const rows = rowsOf(lock, drift)
  const lines = fittingColumns([HEADINGS, ...rows.map(({ cells }) => cells)], stdout.columns)
  const [headings = '', ...body] = lines.map((line) => truncate(line, stdout.columns))
  if (rows.length > 0) stdout.line(stdout.dim(headings))
  for (const [index, { folder, kind }] of rows.entries()) {
    if (index === 0 || rows[index - 1]?.folder !== folder) {
      if (index > 0) stdout.line()
      stdout.line(stdout.style('bold', folder === '' ? '(no folder)' : sanitize(folder)))
    }
    stdout.line(paint(body[index] ?? '', kind, stdout))
  }
  printHeldSection(drift?.held ?? heldPrompts(lock), stdout)
  const updates = describeUpdates(drift?.drift.length, context.project.lock.workspace)
  const count = pluralize(lock.prompts.length, 'prompt')
  const path = displayPath(context.project.lock.path, context)
  messages.line('', messages.dim([count, lock.environment, path, updates].join(' · ')))
}

const HEADINGS = ['  prompt', 'version', 'model', 'characters', 'variables'] as const

/** What is left out on a narrow terminal, in this order, until the rest fits. */
const DROPPED = [[], ['characters'], ['characters', 'model'], ['characters', 'model', 'variables']]

/** Variables are cut, but not to fewer columns. */
const MIN_VARIABLES = 20

/** Aligned rows with as many columns as fit. */
function fittingColumns(rows: readonly (readonly string[])[], columns: number): string[] {
  const candidates = DROPPED.map((dropped) => {
    const kept = HEADINGS.flatMap((name, index) => (dropped.includes(name) ? [] : [index]))
    const cells = rows.map((row) => kept.map((index) => row[index] ?? ''))
    const heads = alignColumns(cells.map((row) => row.slice(0, -1)))
    const fixed = Math.max(...heads.map((line) => displayWidth(line)))
    return { lines: alignColumns(cells), width: fixed + MIN_VARIABLES }
  })
  return (candidates.find(({ width }) => width <= columns) ?? candidates.at(-1))?.lines ?? []
}

interface Row {
  readonly slug: string
  readonly folder: string
  readonly kind: Drift['kind'] | 'current' | 'held'
  readonly cells: readonly string[]
}

function rowsOf(
  lock: Lock,
  report: Pick<DriftReport, 'drift' | 'held'> = { drift: [], held: [] },
): Row[] {
  const updates = listedUpdates(lock, report)
  const pinned = lock.prompts.map((prompt) => pinnedRow(prompt, updates.get(prompt.slug)))
  const added = report.drift.flatMap((each): Row[] => {
    if (each.kind !== 'added') return []
    const { folder, version, model } = listedValues(each.entry, lock.environment)
    const cells = [
      `+ ${sanitize(each.slug)}`,
      sanitize(version),
      sanitize(model),
      '',
      'not pinned yet',
    ]
    return [{ slug: each.slug, folder, kind: 'added', cells }]
  })
  return [...pinned, ...added].toSorted(
    (a, b) => compareCodePoints(a.folder, b.folder) || compareCodePoints(a.slug, b.slug),
  )
}

const SIGNS: Readonly<Record<Row['kind'], string>> = {
  current: ' ',
  held: '=',
  added: '+',
  changed: '~',
  removed: '-',
}

function pinnedRow(prompt: PinnedPrompt, update: ListedUpdate | undefined): Row {
  const { slug, folder, version, model, held } = prompt
  const kind = held === undefined ? (update?.kind ?? 'current') : 'held'
  const cells = [
    `${SIGNS[kind]} ${sanitize(slug)}`,
    describeListed(version, update),
    sanitize(model),
    charactersOf(prompt).toLocaleString('en').padStart(HEADINGS[3].length),
    promptVariables(prompt).map(sanitize).join(', '),
  ]
  return { slug, folder, kind, cells }
}

function paint(line: string, kind: Row['kind'], channel: Channel): string {
  const format = {
    current: undefined,
    held: 'dim',
    added: 'green',
    changed: 'yellow',
    removed: 'red',
  } as const
  const chosen = format[kind]
  return chosen === undefined ? line : channel.style(chosen, line)
}

function describeUpdates(count: number | undefined, workspace: string): string {
  if (count === undefined) return '--updates shows updates in the service'
  if (count === 0) return 'no updates in the service'
  const them = count === 1 ? 'it' : 'them'
  const [diff, pull] = ['diff', 'pull'].map((command) => formatCommand(workspace, command))
  return `${formatCount(count)} waiting: ${diff} shows ${them}, ${pull} takes ${them}`
}
