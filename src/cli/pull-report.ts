import { contractChanges } from '../core/classify-change.ts'
import type { PromptChange } from '../core/compare.ts'
import { variablesOfPrompt } from '../core/compare.ts'
import { counted } from '../core/counted.ts'
import type { Lint } from '../core/lint.ts'
import type { NameCollision } from '../core/names.ts'
import { sanitize } from '../core/sanitize.ts'
import { commandOf } from '../core/workspace-command.ts'
import type { PromptsError } from '../errors.ts'
import type { Project } from '../project.ts'
import type { Surroundings } from './command.ts'
import { describeUpdate, describeVersion } from './describe-change.ts'
import { shownPath } from './open.ts'
import type { PullOutcome } from './pull-and-report.ts'
import { alignColumns } from './table.ts'
import { type Channel, type Format, type Terminal } from './terminal.ts'

/** Prints what a pull found and did: the changes as data, the rest as words. */
export function printPullReport(
  project: Project,
  outcome: PullOutcome,
  { terminal, cwd }: Pick<Surroundings, 'terminal' | 'cwd'>,
): void {
  const { report } = outcome
  if (report.mended !== undefined) printMended(report.mended, terminal)
  printChanges(report.changes, project.lock.workspace, terminal)
  printLints(report.lints, terminal)
  printCollisions(report.collisions, terminal)
  printContracts(report.changes, terminal)
  printEnding(outcome, writtenFiles(project, { cwd }), terminal)
}

function printMended({ why }: PromptsError, { words }: Terminal): void {
  const [first = ''] = why.split('\n')
  const told = first.replace(/[:.]$/, '')
  words.line(
    `${words.style('yellow', '▲')} ${told}; it is written anew, so every prompt counts as added.`,
  )
  words.line()
}

const MARKS: Readonly<Record<PromptChange['kind'], readonly [sign: string, Format]>> = {
  added: ['+', 'green'],
  updated: ['~', 'yellow'],
  removed: ['-', 'red'],
  unchanged: [' ', 'dim'],
}

/** More rows of added prompts than this are only counted: a first pull is no news in detail. */
const ADDED_SHOWN = 20

function printChanges(
  changes: readonly PromptChange[],
  workspace: string,
  { data }: Terminal,
): void {
  const counts = countKinds(changes)
  const added = changes.filter(({ kind }) => kind === 'added').slice(0, ADDED_SHOWN)
  const shown = changes.filter((change) =>
    change.kind === 'added' ? added.includes(change) : change.kind !== 'unchanged',
  )
  const rows = shown.map((change) => changeRow(change, data))
  for (const row of alignColumns(rows)) data.line(row)
  const hidden = counts.added - added.length
  if (hidden > 0)
    data.line(
      data.style('dim', `… and ${hidden} more added; ${commandOf(workspace, 'list')} shows them`),
    )
  if (rows.length > 0) data.line()
  const total = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${kind}`],
  )
  data.line(data.style('bold', total.length === 0 ? 'no prompts' : total.join(' · ')))
}

function countKinds(changes: readonly PromptChange[]): Record<PromptChange['kind'], number> {
  const counts = { added: 0, updated: 0, removed: 0, unchanged: 0 }
  for (const { kind } of changes) counts[kind]++
  return counts
}

function changeRow(change: PromptChange, data: Channel): string[] {
  const [sign, format] = MARKS[change.kind]
  return [
    data.style(format, `${sign} ${change.kind}`),
    data.style('bold', sanitize(change.slug)),
    describeVersion(change),
    remarksOn(change, data),
  ]
}

function remarksOn(change: PromptChange, data: Channel): string {
  if (change.kind === 'added') return data.style('dim', describeContract(change.after))
  if (change.kind !== 'updated') return ''
  return describeUpdate(change)
    .map(({ kind, text }) => data.style(kind === 'contract' ? 'magenta' : 'dim', text))
    .join('  ')
}

function describeContract(prompt: Parameters<typeof variablesOfPrompt>[0]): string {
  const variables = variablesOfPrompt(prompt)
  return variables.length === 0 ? 'no variables' : variables.map(sanitize).join(', ')
}

const LINT_REASONS: Readonly<Record<Lint['kind'], string>> = {
  empty: 'nothing between the braces',
  foreign: 'no variable name',
  unclosed: 'never closed',
}

function printLints(lints: readonly Lint[], { data }: Terminal): void {
  if (lints.length === 0) return
  data.line()
  data.line(
    `${data.style('yellow', '▲')} Double braces that are no variable; they stay as they are:`,
  )
  const rows = lints.map(({ slug, field, line, column, kind, excerpt }) => [
    `  ${sanitize(slug)}:${field}:${line}:${column}`,
    sanitize(excerpt),
    data.style('dim', LINT_REASONS[kind]),
  ])
  for (const row of alignColumns(rows)) data.line(row)
}

function printCollisions(collisions: readonly NameCollision[], { data }: Terminal): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    data.line(
      `${data.style('yellow', '▲')} prompts.${identifier} could be ${names}, so it is neither: use the slugs.`,
    )
  }
}

/** A changed contract is a compile error where the app uses the prompt, and no error elsewhere. */
function printContracts(changes: readonly PromptChange[], { words }: Terminal): void {
  const count = contractChanges(changes).length
  if (count === 0) return
  const what = count === 1 ? '1 prompt is gone or takes' : `${count} prompts are gone or take`
  words.line()
  words.line(
    `${words.style('yellow', '▲')} ${what} other variables: your type check shows the calls that break.`,
  )
}

function writtenFiles({ lock, options }: Project, around: Pick<Surroundings, 'cwd'>): string[] {
  const paths = options.dts === false ? [lock.path] : [lock.path, options.dts]
  return paths.map((path) => shownPath(path, around))
}

function printEnding(
  { report, retries }: PullOutcome,
  files: readonly string[],
  { words }: Terminal,
): void {
  const costs = [
    counted(report.reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    `plan status “${sanitize(report.planStatus)}”`,
  ]
  const [lock = ''] = files
  const said = {
    written: `Wrote ${files.join(' and ')}.`,
    unchanged: `${lock} is up to date.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is as it was.`,
  }[report.outcome]
  words.line()
  const sign = report.outcome === 'declined' ? words.style('red', '✖') : words.style('green', '✔')
  words.line(`${sign} ${said} ${words.style('dim', costs.join(' · '))}`)
}
