/**
 * Reads the lock and, on request, the service's list or the code of the app, keeps what the globs select, and
 * makes one answer of it: {@link ListJson}, which is printed as a table, by use, or both.
 */
import { createPromptFilter } from '../../../config/prompt-filter.ts'
import { type ChangeRow, type ComparedRow, withoutTexts } from '../../../core/change-row.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import type { KeptPart } from '../../../core/next-lock.ts'
import {
  describePart,
  type Environment,
  type PartId,
  partKey,
  type PinnedPrompt,
  viewOf,
} from '../../../core/prompt.ts'
import { compareCodePoints } from '../../../core/text/order.ts'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { PromptsError } from '../../../errors/prompts-error.ts'
import { formatCommand } from '../../../core/workspace-name.ts'
import { type DriftReport, readDrift } from '../../../features/diff/drift.ts'
import type { UsageReport } from '../../../analysis/app/analyse-usage.ts'
import { codeOptions, findUsage } from '../../project/analyse.ts'
import { viewOption } from '../../project/options.ts'
import { withProgress } from '../../project/progress.ts'
import {
  defineProjectCommand,
  describeView,
  type ProjectContext,
  serviceLabel,
} from '../../project/project-command.ts'
import type { Format, Terminal } from '../../shell/terminal.ts'
import type { Command } from '../../shell/command.ts'
import { alignColumns, truncate } from '../../shell/layout.ts'
import {
  describeListed,
  changeCells,
  formatPlace,
  framesBelow,
  printHeldSection,
  printKept,
  printReleasedEdits,
} from '../../view/change-view.ts'
import { jsonOf, type ListedPromptJson } from '../../view/json.ts'

/** `prompts list --json`. */
export interface ListJson {
  /** The view that is listed. */
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly ListedPromptJson[]
  /** Only with `--usage`. */
  readonly usage?: UsageReport
  /** Only with `--updates`: prompts that are not in the lock. */
  readonly added?: readonly AddedPromptJson[]
  /** Only with `--updates`: changes of versions that are not listed, such as of staging in the live view. */
  readonly unlisted?: readonly ChangeRow[]
  /** Only with `--updates`: versions of the list that a pull can't take. */
  readonly kept?: readonly KeptPart[]
}

/** A prompt that only the service has. */
type AddedPromptJson = Pick<PinnedPrompt, 'slug' | 'folder' | 'model' | 'version'>

/** `prompts list`. */
export const list: Command = defineProjectCommand({
  argument: {
    placeholder: '[glob…]',
    description: 'List only prompts whose slug or folder/slug matches, such as `support/*`',
  },
  details: ['Reads the lock. Without --updates it needs neither a network nor a key.'],
  options: {
    ...viewOption,
    updates: { description: 'Show updates in the service: one list call, no metered read' },
    usage: { description: 'Show where the code of the app uses each prompt' },
    ...codeOptions,
  },
  examples: [
    ['prompts list', 'prompts, versions, models and variables by folder'],
    ["prompts list 'support/**'", 'the prompts of one folder'],
    ['prompts list --updates', 'also show updates in the service'],
    ['prompts list --usage', 'where each prompt is used, and which are unused'],
    ["prompts list --json | jq -r '.prompts[].slug'", 'slugs only'],
  ],
  async run(invocation) {
    const { terminal, project, values, positionals, signal } = invocation
    const { path } = project.lock
    const lock = await project.readLock()
    const view = viewOf(lock, values.environment ?? project.servedView(lock))
    const drift = values.updates
      ? await withProgress(terminal, `Asking ${serviceLabel(project)}`, ({ onProgress }) =>
          readDrift(project, lock, { signal, onProgress }),
        )
      : undefined
    const usage = values.usage ? await findUsage(invocation, lock) : undefined
    const where = describeView(view.environment, invocation)
    const isSelected = selectPrompts(view.prompts, drift?.drift ?? [], positionals, where)
    const prompts = view.prompts.filter(isSelected).map(jsonOf(lock, view))
    const shown = { environment: view.environment, lock: path, prompts }
    const json = listJson(shown, isSelected, drift, usage)
    terminal.json(json)
    const isTable = values.updates || json.usage === undefined
    if (isTable) printList(json, invocation)
    if (json.usage === undefined) return 0
    if (isTable) terminal.stdout.line()
    printUsage(json.usage, terminal)
    return 0
  },
})

type IsSelected = (prompt: { readonly slug: string }) => boolean

/**
 * Whether a prompt matches one of the globs, over slug and `folder/slug`, in the lock or in the service's
 * list.
 *
 * @param where - the view, as errors name it
 * @throws PromptsError SLUG_UNKNOWN if nothing matches
 */
function selectPrompts(
  pinned: readonly PinnedPrompt[],
  drift: readonly ComparedRow[],
  globs: readonly string[],
  where: string,
): IsSelected {
  if (globs.length === 0) return () => true
  const incoming = drift.flatMap(({ change }) => change.after ?? [])
  const prompts = [...pinned, ...incoming].filter(createPromptFilter(globs))
  const slugs = new Set(prompts.map(({ slug }) => slug))
  if (slugs.size > 0) return ({ slug }) => slugs.has(slug)
  const known = pinned.map(({ slug }) => slug)
  throw new PromptsError('SLUG_UNKNOWN', { slugs: globs, where, known })
}

function listJson(
  pinned: Pick<ListJson, 'environment' | 'lock' | 'prompts'>,
  isSelected: IsSelected,
  drift: DriftReport | undefined,
  usage: UsageReport | undefined,
): ListJson {
  // Held prompts are no drift.
  const updates = new Map<string, ChangeRow | null | undefined>([
    ...(drift?.drift ?? []).map((row) => [partKey(row), withoutTexts(row)] as const),
    ...(drift?.held ?? []).map((part) => [partKey(part), part.update] as const),
  ])
  const prompts = pinned.prompts.map((prompt) => ({
    ...prompt,
    ...(drift && { update: updates.get(partKey(prompt)) ?? null }),
  }))
  const listed = new Set(prompts.map(partKey))
  const others = drift?.drift.filter((row) => isSelected(row) && !listed.has(partKey(row)))
  const isAdded = ({ kind, environment }: ComparedRow): boolean =>
    kind === 'added' && environment === 'live'
  const added = others
    ?.filter(isAdded)
    .flatMap(({ change }) => change.after ?? [])
    .map(({ slug, folder, model, version }) => ({ slug, folder, model, version }))
  const unlisted = others?.filter((row) => !isAdded(row))
  return {
    ...pinned,
    prompts,
    ...(added && { added }),
    ...(unlisted && { unlisted: unlisted.map(withoutTexts) }),
    ...(drift && { kept: drift.kept.filter(isSelected) }),
    ...(usage && { usage: { ...usage, prompts: usage.prompts.filter(isSelected) } }),
  }
}

type Kind = 'current' | 'held' | ChangeRow['kind']

const MARKS: Readonly<Record<Kind, readonly [sign: string, Format]>> = {
  current: [' ', []],
  held: ['=', 'dim'],
  added: ['+', 'green'],
  updated: ['~', 'yellow'],
  removed: ['-', 'red'],
}

/** Prints the prompts of a lock as one table, grouped by folder. */
function printList(
  { environment, lock, prompts, added, unlisted = [], kept = [] }: ListJson,
  { terminal: { stdout, messages }, project }: ProjectContext,
): void {
  const rows = [...prompts.map(pinnedRow), ...(added ?? []).map(addedRow)].toSorted(
    (a, b) => compareCodePoints(a.folder, b.folder) || compareCodePoints(a.slug, b.slug),
  )
  const { columns } = stdout
  const table = rows.map((row) => {
    const name = `${MARKS[row.kind][0]} ${describePart(row, sanitize)}`
    // So that one long slug hides no version.
    return [truncate(name, columns / 2), ...row.cells]
  })
  const aligned = alignColumns([HEADINGS, ...table]).map((line) => truncate(line, columns))
  const [headings = '', ...lines] = aligned
  if (rows.length > 0) stdout.line(stdout.dim(headings))
  for (const [index, { folder, kind }] of rows.entries()) {
    const title = stdout.style('bold', folder === '' ? '(no folder)' : sanitize(folder))
    if (index === 0) stdout.line(title)
    else if (rows[index - 1]?.folder !== folder) stdout.line('', title)
    stdout.line(stdout.style(MARKS[kind][1], lines[index] ?? ''))
  }
  printHeldSection(prompts.flatMap(heldPrompt), stdout)
  printReleasedEdits(prompts, stdout)
  stdout.section(
    `${pluralize(unlisted.length, 'change')} of versions that are not listed:`,
    unlisted.map((row) => changeCells(row, stdout)),
  )
  printKept(kept, stdout)
  const waiting = rows.filter(({ kind }) => kind !== 'current' && kind !== 'held')
  const changed = new Set([...waiting, ...unlisted].map(({ slug }) => slug))
  const updates = describeUpdates(added && changed.size, kept.length, project.lock.workspace)
  const count = pluralize(prompts.length, 'prompt')
  const facts = [count, environment, lock, updates]
  messages.line('', messages.dim(facts.join(' · ')))
}

function heldPrompt({ held, update = null, ...part }: ListedPromptJson): HeldPrompt[] {
  return held === null ? [] : [{ ...part, reason: held, update }]
}

/** A prompt in the table, with the cells behind its slug. */
interface Row extends PartId {
  readonly folder: string
  readonly kind: Kind
  readonly cells: readonly string[]
}

function pinnedRow(prompt: ListedPromptJson): Row {
  const { environment, model, variables, held, staging, update } = prompt
  const kind = held === null ? (update?.kind ?? 'current') : 'held'
  const names = variables.map(sanitize).join(', ')
  const isBeside = environment === 'live' && staging !== null
  const version = describeListed(prompt) + (isBeside ? `, staging ${sanitize(staging)}` : '')
  return { ...prompt, kind, cells: [version, sanitize(model), names] }
}

function addedRow(prompt: AddedPromptJson): Row {
  const cells = [sanitize(prompt.version), sanitize(prompt.model), 'not pinned yet']
  return { ...prompt, environment: 'live', kind: 'added', cells }
}

const HEADINGS = ['  prompt', 'version', 'model', 'variables']

function describeUpdates(count: number | undefined, kept: number, workspace: string): string {
  if (count === undefined) return '--updates shows updates in the service'
  if (count === 0)
    return `the service lists these versions${kept === 0 ? '' : `, and ${formatCount(kept)} not read`}`
  const them = count === 1 ? 'it' : 'them'
  const [diff, pull] = ['diff', 'pull'].map((command) => formatCommand(workspace, command))
  return `${formatCount(count)} waiting: ${diff} shows ${them}, ${pull} takes ${them}`
}

/** Prints the uses of each prompt, the unused prompts, and those in client code. */
function printUsage({ prompts, escapes }: UsageReport, { stdout, messages }: Terminal): void {
  for (const { slug, sites } of prompts.filter((prompt) => prompt.sites.length > 0)) {
    stdout.line(stdout.style('bold', sanitize(slug)))
    const rows = sites.map((site) => [
      `  ${formatPlace(site)}`,
      site.kind === 'unproven' ? stdout.dim(site.kind) : '',
    ])
    stdout.rows(rows, framesBelow(sites, stdout))
  }
  const warning = (title: string): string => stdout.mark('warning', title)
  const unused = prompts.filter(({ sites }) => sites.length === 0)
  const unusedTitle =
    escapes.length > 0
      ? `${pluralize(unused.length, 'prompt')} that no code names:`
      : `${pluralize(unused.length, 'unused prompt')}, which the option \`exclude\` leaves out of pulls:`
  const unusedRows = unused.map(({ slug }) => [sanitize(slug)])
  stdout.section(warning(unusedTitle), unusedRows)
  const escapeRows = escapes.map((place) => [formatPlace(place)])
  const escapeTitle = warning('Any prompt may be used in these places:')
  stdout.section(escapeTitle, escapeRows, undefined, framesBelow(escapes, stdout))
  const client = prompts.flatMap(({ sites }) => sites.filter((site) => site.client !== undefined))
  const clientRows = client.map((site) => [
    sanitize(site.slug),
    formatPlace(site),
    stdout.dim((site.client ?? []).map(sanitize).join(' → ')),
  ])
  const clientTitle = warning('These are in client code, so users can read them:')
  stdout.section(clientTitle, clientRows, undefined, framesBelow(client, stdout))
  const used = prompts.length - unused.length
  const verb = used === 1 ? 'is' : 'are'
  const summary = `${formatCount(used)} of ${pluralize(prompts.length, 'prompt')} ${verb} used`
  messages.line('', messages.dim(summary))
}
