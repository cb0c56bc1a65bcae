/**
 * Reads the lock and, on request, the code of the app, keeps what the globs select, and makes one answer of it:
 * {@link ListJson}, which is printed as a table, or by use.
 */
import { createPromptFilter } from '../../config/prompt-filter.ts'
import { heldPrompts } from '../../core/drift.ts'
import { describePart, type Environment, type PinnedPrompt } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { PromptsError, usageError } from '../../errors/prompts-error.ts'
import type { UsageReport } from '../../judge/analyse-usage.ts'
import { codeOptions, findUsage } from '../project/analyse.ts'
import { viewOption } from '../project/options.ts'
import { defineProjectCommand, selectView } from '../project/project-command.ts'
import type { Terminal } from '../shell/terminal.ts'
import type { Command } from '../shell/command.ts'
import { alignColumns, truncate } from '../shell/layout.ts'
import {
  formatPlace,
  framesBelow,
  printHeldSection,
  printUnheldEdits,
} from '../view/change-view.ts'
import { jsonOf, type ListedPromptJson } from '../view/json.ts'

/** `prompts list --json`. */
export interface ListJson {
  /** The view that is listed. */
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly ListedPromptJson[]
  /** Only with `--usage`. */
  readonly usage?: UsageReport
}

/** `prompts list`. */
export const list: Command = defineProjectCommand({
  argument: {
    placeholder: '[glob…]',
    description: 'List only prompts whose slug or folder/slug matches, such as `support/*`',
  },
  details: [
    'Reads the lock; needs neither a network nor a key. By default, it also lists what only staging has.',
  ],
  options: {
    ...viewOption,
    usage: { description: 'Show where the code of the app uses each prompt' },
    ...codeOptions,
  },
  examples: [
    ['prompts list', 'prompts, versions, models and variables by folder'],
    ["prompts list 'support/**'", 'the prompts of one folder'],
    ['prompts list --usage', 'where each prompt is used, and which are unused'],
    ["prompts list --json | jq -r '.prompts[].slug'", 'slugs only'],
  ],
  async run(invocation) {
    const { terminal, project, values, positionals } = invocation
    const { path } = project.lock
    const lock = await project.readLock()
    const usage = values.usage ? await findUsage(invocation, lock) : undefined
    const { view, listed, noun } = selectView(lock, invocation)
    const isSelected = selectPrompts(listed, positionals, noun)
    const prompts = listed.filter(isSelected).map(jsonOf(lock, view))
    const json: ListJson = {
      environment: view.environment,
      lock: path,
      prompts,
      ...(usage && { usage: { ...usage, prompts: usage.prompts.filter(isSelected) } }),
    }
    terminal.json(json)
    const masked = terminal.stdout.masked(json)
    if (masked.usage) printUsage(masked.usage, terminal)
    else printList(masked, terminal.stdout.masked(lock.parts.filter(isSelected)), terminal)
    return 0
  },
})

type IsSelected = (prompt: { readonly slug: string }) => boolean

/**
 * Whether a prompt of the view matches one of the globs, over slug and `folder/slug`; without globs each does.
 *
 * @param noun - a prompt of the view, as errors name it
 * @throws PromptsError USAGE for an empty or negated glob; SLUG_UNKNOWN if nothing matches
 */
function selectPrompts(
  pinned: readonly PinnedPrompt[],
  globs: readonly string[],
  noun: string,
): IsSelected {
  const odd = globs.find((glob) => glob === '' || glob.startsWith('!'))
  if (odd !== undefined) throw usageError(`This glob names no prompts: “${odd}”.`, 'list')
  const named = globs.length === 0 ? pinned : pinned.filter(createPromptFilter(globs))
  const slugs = new Set(named.map(({ slug }) => slug))
  if (slugs.size > 0 || globs.length === 0) return ({ slug }) => slugs.has(slug)
  const known = pinned.map(({ slug }) => slug)
  throw new PromptsError('SLUG_UNKNOWN', { slugs: globs, noun, known })
}

const HEADINGS = ['  prompt', 'version', 'model', 'variables']

/**
 * Prints the prompts of a lock as one table, grouped by folder.
 *
 * @param parts - of these prompts, also those that the view does not have
 */
function printList(
  { environment, lock, prompts }: ListJson,
  parts: readonly PinnedPrompt[],
  { stdout, messages }: Terminal,
): void {
  const rows = prompts.toSorted(
    (a, b) => compareCodePoints(a.folder, b.folder) || compareCodePoints(a.slug, b.slug),
  )
  const { columns } = stdout
  const table = rows.map((prompt) => promptCells(prompt, columns))
  const aligned = alignColumns([HEADINGS, ...table]).map((line) => truncate(line, columns))
  const [headings = '', ...lines] = aligned
  if (rows.length > 0) stdout.line(stdout.dim(headings))
  for (const [index, { folder, held }] of rows.entries()) {
    const title = stdout.style('bold', folder === '' ? '(no folder)' : sanitize(folder))
    if (index === 0) stdout.line(title)
    else if (rows[index - 1]?.folder !== folder) stdout.line('', title)
    const line = lines[index] ?? ''
    stdout.line(held === null ? line : stdout.dim(line))
  }
  printHeldSection(heldPrompts({ parts }), stdout)
  printUnheldEdits(parts, stdout)
  const facts = [pluralize(prompts.length, 'prompt'), environment, lock]
  messages.line('', messages.dim(facts.join(' · ')))
}

function promptCells(prompt: ListedPromptJson, columns: number): string[] {
  const { environment, version, model, variables, held, staging } = prompt
  const name = `${held === null ? ' ' : '='} ${describePart(prompt, sanitize)}`
  const isBeside = environment === 'live' && staging !== null
  const label = sanitize(version) + (isBeside ? `, staging ${sanitize(staging)}` : '')
  // So that one long slug hides no version.
  return [truncate(name, columns / 2), label, sanitize(model), variables.map(sanitize).join(', ')]
}

/** Prints the uses of each prompt, and the unused prompts. */
function printUsage({ prompts, escapes }: UsageReport, { stdout, messages }: Terminal): void {
  for (const { slug, sites } of prompts.filter((prompt) => prompt.sites.length > 0)) {
    stdout.line(stdout.style('bold', sanitize(slug)))
    const rows = sites.map((site) => [
      `  ${formatPlace(site)}`,
      site.kind === 'not-checked' ? stdout.dim('not checked') : '',
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
  const used = prompts.length - unused.length
  const verb = used === 1 ? 'is' : 'are'
  const summary = `${formatCount(used)} of ${pluralize(prompts.length, 'prompt')} ${verb} used`
  messages.line('', messages.dim(summary))
}
