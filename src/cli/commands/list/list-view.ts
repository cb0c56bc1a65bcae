import displayWidth from 'fast-string-width'
import type { ChangeRow } from '../../../core/change-row.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import { compareCodePoints } from '../../../core/text/order.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import type { Format } from '../../output/channel.ts'
import { truncate } from '../../output/display-width.ts'
import { describeListed, printHeldSection, printStagedSection } from '../../output/change-view.ts'
import { alignColumns, columnWidths, GAP } from '../../output/table.ts'
import { displayPath, type ProjectContext } from '../../project-command.ts'
import type { AddedPromptJson, ListedPromptJson, ListJson } from './json-list.ts'

/** Prints the prompts of a lock as one table, grouped by folder. */
export function printList(
  { environment, lock, prompts, added, staged = [] }: ListJson,
  { terminal: { stdout, messages }, project, cwd }: ProjectContext,
): void {
  const rows = sortRows([...prompts.map(pinnedRow), ...(added ?? []).map(addedRow)])
  const lines = fittingColumns(fitSlugs(rows, stdout.columns), stdout.columns)
  const [headings = '', ...body] = lines.map((line) => truncate(line, stdout.columns))
  if (rows.length > 0) stdout.line(stdout.dim(headings))
  for (const [index, { folder, kind }] of rows.entries()) {
    if (index === 0 || rows[index - 1]?.folder !== folder) {
      if (index > 0) stdout.line()
      stdout.line(stdout.style('bold', folder === '' ? '(no folder)' : sanitize(folder)))
    }
    stdout.line(stdout.style(MARKS[kind][1], body[index] ?? ''))
  }
  printHeldSection(prompts.flatMap(heldPrompt), stdout)
  printStagedSection(staged, stdout)
  const updates = added && rows.filter(({ kind }) => kind !== 'current' && kind !== 'held').length
  const waiting = describeUpdates(updates, project.lock.workspace)
  const count = pluralize(prompts.length, 'prompt')
  const facts = [count, environment, displayPath(lock, { cwd }), waiting]
  messages.line('', messages.dim(facts.join(' · ')))
}

function heldPrompt({ slug, version, held, update }: ListedPromptJson): HeldPrompt[] {
  return held === null ? [] : [{ slug, version, reason: held, update: update ?? null }]
}

const HEADINGS = ['  prompt', 'version', 'model', 'characters', 'variables'] as const

/** The headings and the cells of all rows. Slugs are cut so that one long slug hides no version. */
function fitSlugs(rows: readonly Row[], columns: number): string[][] {
  const table = [HEADINGS, ...rows.map(({ cells }) => cells)]
  const [version = 0] = columnWidths(table.map((row) => [row[1] ?? '']))
  return table.map(([slug = '', ...cells]) => [truncate(slug, columns - GAP - version), ...cells])
}

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

type Kind = 'current' | 'held' | ChangeRow['kind']

const MARKS: Readonly<Record<Kind, readonly [sign: string, Format]>> = {
  current: [' ', []],
  held: ['=', 'dim'],
  added: ['+', 'green'],
  updated: ['~', 'yellow'],
  removed: ['-', 'red'],
}

interface Row {
  readonly slug: string
  readonly folder: string
  readonly kind: Kind
  readonly cells: readonly string[]
}

function sortRows(rows: readonly Row[]): Row[] {
  return rows.toSorted(
    (a, b) => compareCodePoints(a.folder, b.folder) || compareCodePoints(a.slug, b.slug),
  )
}

function pinnedRow(prompt: ListedPromptJson): Row {
  const { slug, folder, model, characters, variables, held, update } = prompt
  const kind = held === null ? (update?.kind ?? 'current') : 'held'
  const cells = [
    `${MARKS[kind][0]} ${sanitize(slug)}`,
    describeListed(prompt),
    sanitize(model),
    formatCount(characters).padStart(HEADINGS[3].length),
    variables.map(sanitize).join(', '),
  ]
  return { slug, folder, kind, cells }
}

function addedRow({ slug, folder, version, model }: AddedPromptJson): Row {
  const cells = [`+ ${sanitize(slug)}`, sanitize(version), sanitize(model), '', 'not pinned yet']
  return { slug, folder, kind: 'added', cells }
}

function describeUpdates(count: number | undefined, workspace: string): string {
  if (count === undefined) return '--updates shows updates in the service'
  if (count === 0) return 'no updates in the service'
  const them = count === 1 ? 'it' : 'them'
  const [diff, pull] = ['diff', 'pull'].map((command) => formatCommand(workspace, command))
  return `${formatCount(count)} waiting: ${diff} shows ${them}, ${pull} takes ${them}`
}
