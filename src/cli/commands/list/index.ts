import { planNames } from '../../../core/names.ts'
import type { Lock } from '../../../core/prompt.ts'
import { type DriftReport, readDrift } from '../../../features/diff/drift.ts'
import { findUsage, type UsageReport } from '../../../features/usage/usage.ts'
import type { Command } from '../../args/command.ts'
import { codeLocation, codeOptions } from '../../output/impact-view.ts'
import {
  listJson,
  type AddedPromptJson,
  type ListedPromptJson,
  type ListJson,
} from './json-list.ts'
import {
  defineProjectCommand,
  displayPath,
  type ProjectContext,
  serviceLabel,
} from '../../project-command.ts'
import { startProgress } from '../../output/progress.ts'
import { selectPrompts } from './select-prompts.ts'
import displayWidth from 'fast-string-width'
import type { ChangeRow } from '../../../core/change-row.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import { compareCodePoints } from '../../../core/text/order.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import { type Format, type Channel, printRows } from '../../output/channel.ts'
import { truncate, alignColumns, columnWidths, GAP } from '../../output/layout.ts'
import {
  describeListed,
  printHeldSection,
  printReleasedEdits,
  printStagedSection,
  formatPlace,
} from '../../output/change-view.ts'
import type { Terminal } from '../../output/terminal.ts'

/** `prompts list`. */
export const list: Command = defineProjectCommand({
  argument: {
    placeholder: '[glob…]',
    description: 'List only prompts whose slug or folder/slug matches, such as `support/*`',
  },
  details: ['Reads the lock. Without --updates it needs neither a network nor a key.'],
  options: {
    updates: { description: 'Show updates in the service: one list call, no metered read' },
    usage: { description: 'Show where the code of the app uses each prompt' },
    ...codeOptions,
  },
  examples: [
    ['prompts list', 'prompts, versions, models, sizes and variables by folder'],
    ["prompts list 'support/**'", 'the prompts of one folder'],
    ['prompts list --updates', 'also show updates in the service'],
    ['prompts list --usage', 'where each prompt is used, and which are unused'],
    ["prompts list --json | jq -r '.prompts[].slug'", 'slugs only'],
  ],
  async run(invocation) {
    const { terminal, project, values, positionals } = invocation
    const { path } = project.lock
    const pinned = await project.readLock()
    const all = {
      lock: pinned,
      drift: values.updates ? await readUpdates(pinned, invocation) : undefined,
      usage: values.usage
        ? await findUsage({ lock: pinned, ...(await codeLocation(invocation)) })
        : undefined,
    }
    const listed = selectPrompts(all, positionals, displayPath(path, invocation))
    const json = listJson(listed, path, planNames(pinned.prompts.map(({ slug }) => slug)))
    terminal.json(json)
    if (json.usage !== undefined) printUsage(json.usage, terminal)
    else printList(json, invocation)
    return 0
  },
})

async function readUpdates(
  lock: Lock,
  { project, terminal, signal }: ProjectContext,
): Promise<DriftReport> {
  const { onProgress, stop } = startProgress(terminal, `Asking ${serviceLabel(project)}`)
  return readDrift(project, lock, { signal, onProgress }).finally(stop)
}

/** Prints the prompts of a lock as one table, grouped by folder. */
function printList(
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
  printReleasedEdits(prompts, stdout)
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

/** Prints the uses of each prompt, the unused prompts, and those in client code. */
function printUsage(report: UsageReport, { stdout, messages }: Terminal): void {
  for (const { slug, sites } of report.prompts.filter((prompt) => prompt.sites.length > 0)) {
    stdout.line(stdout.style('bold', sanitize(slug)))
    const rows = sites.map((site) => [`  ${formatPlace(site)}`, stdout.dim(site.kind)])
    printRows(rows, stdout)
  }
  printUnused(report, stdout)
  printEscapes(report, stdout)
  printClient(report, stdout)
  const { unused, total } = report.reads
  const used = total - unused
  const verb = used === 1 ? 'is' : 'are'
  messages.line(
    '',
    messages.dim(`${formatCount(used)} of ${pluralize(total, 'prompt')} ${verb} used`),
  )
}

function printUnused({ unused, reads }: UsageReport, channel: Channel): void {
  if (unused.length === 0) return
  channel.line()
  const cost = `${formatCount(reads.unused)} of ${formatCount(reads.total)} reads per pull`
  channel.line(
    channel.mark(
      'warning',
      `${pluralize(unused.length, 'unused prompt')}. The option \`exclude\` saves ${cost}:`,
    ),
  )
  for (const slug of unused) channel.line(`  ${sanitize(slug)}`)
}

function printEscapes({ escapes }: UsageReport, channel: Channel): void {
  if (escapes.length === 0) return
  channel.line(
    '',
    channel.mark('warning', 'These places pass all prompts on, so any prompt may be used there:'),
  )
  for (const place of escapes) channel.line(`  ${formatPlace(place)}`)
}

function printClient({ client }: UsageReport, channel: Channel): void {
  if (client.length === 0) return
  channel.line('', channel.mark('warning', 'These are in client code, so users can read them:'))
  const rows = client.map((site) => [
    `  ${sanitize(site.slug)}`,
    formatPlace(site),
    channel.dim((site.client ?? []).map(sanitize).join(' → ')),
  ])
  printRows(rows, channel)
}
