import type { PromptChange } from '../../../core/compare.ts'
import { promptVariables } from '../../../core/compare.ts'
import { pluralize, formatCount } from '../../../core/text/pluralize.ts'
import type { PromptLints } from '../../../core/lint.ts'
import type { NameCollision } from '../../../core/names.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft, PullReport } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import {
  describeFiles,
  describeUpdate,
  describeVersion,
  displayNames,
} from '../../output/describe-change.ts'
import { truncate } from '../../output/display-width.ts'
import { printNext } from '../../output/approval.ts'
import { printRepair } from './repair-view.ts'
import { printSkipped } from './skipped-view.ts'
import { printHeldSection } from '../../output/held-view.ts'
import { displayPath } from '../../command-project.ts'
import type { FixSession } from './fix-session.ts'
import type { PullReview } from './pull-impact.ts'
import { printRows } from '../../output/table.ts'
import type { Channel, Format } from '../../output/channel.ts'
import type { Terminal } from '../../output/terminal.ts'

/** Prints the changes of a pull before the lock is written. */
export function printPullDraft(
  { lock }: Project,
  draft: PullDraft,
  { terminal, cwd }: Pick<CommandContext, 'terminal' | 'cwd'>,
): void {
  printRepair(lock, draft, { terminal, cwd })
  printChanges(draft.changes, lock.workspace, terminal)
  printSkipped(draft.skipped, terminal.stdout)
  printHeldSection(draft.held, terminal.stdout)
  printLints(draft.lints, terminal)
  printCollisions(draft.collisions, terminal)
}

const MARKS: Readonly<Record<PromptChange['kind'], readonly [sign: string, Format]>> = {
  added: ['+', 'green'],
  updated: ['~', 'yellow'],
  removed: ['-', 'red'],
  unchanged: [' ', 'dim'],
}

/** More added prompts are only counted, since a first pull adds all of them. */
const MAX_ADDED = 20

function printChanges(
  changes: readonly PromptChange[],
  workspace: string,
  { stdout }: Terminal,
): void {
  const counts = countKinds(changes)
  const added = changes.filter(({ kind }) => kind === 'added').slice(0, MAX_ADDED)
  const shown = changes.filter((change) =>
    change.kind === 'added' ? added.includes(change) : change.kind !== 'unchanged',
  )
  const rows = shown.map((change) => changeRow(change, stdout))
  printRows(rows, stdout)
  const hidden = counts.added - added.length
  if (hidden > 0)
    stdout.line(
      stdout.dim(
        `… and ${formatCount(hidden)} more added; ${formatCommand(workspace, 'list')} shows them`,
      ),
    )
  if (rows.length > 0) stdout.line()
  const total = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${formatCount(count)} ${kind}`],
  )
  stdout.line(stdout.style('bold', total.length === 0 ? 'no prompts' : total.join(' · ')))
}

function countKinds(changes: readonly PromptChange[]): Record<PromptChange['kind'], number> {
  const counts = { added: 0, updated: 0, removed: 0, unchanged: 0 }
  for (const { kind } of changes) counts[kind]++
  return counts
}

function changeRow(change: PromptChange, channel: Channel): string[] {
  const [sign, format] = MARKS[change.kind]
  return [
    channel.style(format, `${sign} ${change.kind}`),
    channel.style('bold', sanitize(change.slug)),
    describeVersion(change),
    remarksOn(change, channel),
  ]
}

function remarksOn(change: PromptChange, channel: Channel): string {
  if (change.kind === 'added') return channel.dim(describeContract(change.after))
  if (change.kind !== 'updated') return ''
  return describeUpdate(change)
    .map(({ kind, text }) => channel.style(kind === 'contract' ? 'magenta' : 'dim', text))
    .join('  ')
}

function describeContract(prompt: Parameters<typeof promptVariables>[0]): string {
  const variables = promptVariables(prompt)
  return variables.length === 0 ? 'no variables' : displayNames(variables).join(', ')
}

/** Longer slugs are truncated. */
const SLUG_WIDTH = 60

/** The number of lints and the first one, in one line. `prompts show` prints all of a prompt. */
function printLints(lints: readonly PromptLints[], { stdout }: Terminal): void {
  const [first] = lints
  if (first === undefined) return
  const total = lints.reduce((sum, { count }) => sum + count, 0)
  const where = `${pluralize(total, 'token note')} in ${pluralize(lints.length, 'prompt')}`
  const more = total === 1 ? '' : ` and ${formatCount(total - 1)} more`
  const line = truncate(`▲ ${where}: ${describeLint(first)}${more}`, stdout.columns)
  stdout.line('', stdout.style('yellow', '▲') + line.slice(1))
}

function describeLint({ slug, first: [lint] }: PromptLints): string {
  const prompt = truncate(sanitize(slug), SLUG_WIDTH)
  if (lint === undefined) return prompt
  return `${prompt}:${lint.field}:${lint.line}:${lint.column} ${sanitize(lint.excerpt)}`
}

function printCollisions(collisions: readonly NameCollision[], { stdout }: Terminal): void {
  for (const { identifier, slugs } of collisions) {
    const names = slugs.map(sanitize).join(' and ')
    stdout.line(
      stdout.mark(
        'warning',
        `prompts.${identifier} could be ${names}, so it is neither: use the slugs.`,
      ),
    )
  }
}

function writtenFiles({ lock, options }: Project, context: Pick<CommandContext, 'cwd'>): string[] {
  const paths = options.dts === false ? [lock.path] : [lock.path, options.dts]
  return paths.map((path) => displayPath(path, context))
}

/** The report of a pull, what it breaks, and the number of retries. */
export interface PullOutcome {
  readonly report: PullReport
  readonly review: PullReview | undefined
  readonly fix: FixSession['planned']
  readonly retries: number
}

/** Prints the result of a pull. */
export function printPullResult(
  project: Project,
  { report, review, fix, retries }: PullOutcome,
  { terminal: { messages }, cwd }: Pick<CommandContext, 'terminal' | 'cwd'>,
): void {
  const files = writtenFiles(project, { cwd })
  const [lock = ''] = files
  const message = {
    written: `Wrote ${new Intl.ListFormat('en').format([...files, ...editedFiles(fix)])}.`,
    unchanged: `${lock} is ${report.skipped.length === 0 ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[report.outcome]
  messages.line()
  const sign =
    report.outcome === 'declined' ? messages.style('red', '✖') : messages.style('green', '✔')
  messages.line(`${sign} ${message} ${messages.dim(costs(report, retries).join(' · '))}`)
  if (review?.next === undefined) return
  printNext(review.next, messages)
  if (fix === undefined)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
}

function editedFiles(fix: FixSession['planned']): string[] {
  return fix === undefined || fix.files.length === 0 ? [] : [describeFiles(fix.files)]
}

function costs({ reads, planStatus }: PullReport, retries: number): string[] {
  return [
    pluralize(reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
}
