import { withoutTexts } from '../../../core/change-row.ts'
import { countUnchanged } from '../../../core/compare.ts'
import type { Lock } from '../../../core/prompt.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { isPromptsError, usageError } from '../../../errors/prompts-error.ts'
import { printRename } from '../../../features/fix/renames.ts'
import { commitAll } from '../../../features/project/commit.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft } from '../../../features/pull/draft.ts'
import type { Command } from '../../args/command.ts'
import { askYesNo } from '../../ask.ts'
import { printNext } from '../../output/approval.ts'
import { describeFiles, printLockTitle } from '../../output/change-view.ts'
import { codeOptions } from '../../output/impact-view.ts'
import type { EditJson, PullJson } from '../../output/json.ts'
import { startProgress } from '../../output/progress.ts'
import { writeOutput } from '../../output/write-output.ts'
import {
  type ProjectContext,
  defineProjectCommand,
  displayPath,
  projectsOfLocks,
  serviceLabel,
} from '../../project-command.ts'
import { type PullDecision, decide } from './decide.ts'
import { type PullContext, pullOptions } from './pull-context.ts'

/** `prompts pull`. */
export const pull: Command = defineProjectCommand({
  argument: {
    placeholder: '[slug…]',
    description: 'Update only these prompts; the rest of the lock stays',
  },
  details: [
    'Reads the service, and writes the lock and the declarations for you to commit. If an update breaks lines of the app, it shows them and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
    'If there is a test lock next to the live lock, it updates both: the test lock with the key in PROMPTS_TEST_API_KEY.',
    '--skip-breaking keeps the pinned version of each prompt whose update breaks the app, and of removed prompts in use. They are still reported as drift.',
    '--fix renames variables and prompts in the calls of the app, and drops removed variables. It shows every edit first. You confirm each rename on a terminal or with --rename. Prompts that it cannot edit safely stay pinned.',
    'A pull reads every prompt, because drafts and temperatures change under the same label. On a metered plan, --changed spends fewer reads.',
  ],
  options: { ...pullOptions, ...codeOptions },
  conflicts: [['fix', 'interactive']],
  needs: [
    ['rename', 'fix'],
    ['allow-dirty', 'fix'],
  ],
  examples: [
    ['prompts pull', 'update everything'],
    ['prompts pull support-triage', 'update one prompt'],
    ['prompts pull --interactive', 'choose the updates from their diffs'],
    ['prompts pull --dry-run', 'see what would change'],
    ['prompts pull --skip-breaking', 'install what does not break the app, and list the rest'],
    ['prompts pull --fix', 'edit the calls too, after showing every edit'],
    ['prompts pull --environment test', 'pin what the test key serves'],
  ],
  validate({ values, terminal }) {
    if (values.interactive && terminal.interactive === undefined)
      throw usageError(
        'Not interactive: name the prompts to update instead of --interactive.',
        'pull',
      )
  },
  async run(invocation) {
    const { json, isUnasked } = await runPull(invocation)
    invocation.terminal.json(json)
    const { outcome } = json
    return outcome === 'declined' || (isUnasked && outcome === 'unchanged') ? 3 : 0
  },
})

/** What came of a pull. */
interface PullRun {
  readonly json: PullJson
  /** Whether nobody could be asked about a probable rename. */
  readonly isUnasked: boolean
}

/**
 * Prepares a pull of one lock or of both, shows what it changes and breaks, decides, writes all or
 * nothing, and shows the result.
 */
export async function runPull(context: PullContext): Promise<PullRun> {
  const { values, terminal } = context
  const pulls = await prepareAll(context)
  const decisions: Decided[] = []
  for (const each of pulls) {
    const live = decisions[0]?.decision.draft.lock
    if (live !== undefined) terminal.stdout.line()
    if (pulls.length > 1) printLockTitle(each.whole.lock.environment, terminal.stdout)
    const own = live === undefined ? each.context : besideLive(each.context, live)
    decisions.push({ ...each, decision: await decide(own, { ...each.whole, live }) })
  }
  // Before the locks, so that a report that can't be written stops the pull.
  if (values.report !== undefined)
    await writeOutput(values.report, await markdownOf(decisions), context)
  const approved = decisions.every(({ decision }) => decision.approved)
  const unwritten = { outcome: approved ? 'dry-run' : 'declined', generated: [] } as const
  const drafts = decisions.map(({ context: { project }, decision: { draft, edits } }) => ({
    project,
    draft,
    edits: edits?.files,
  }))
  const isWritten = approved && !values['dry-run']
  const written = isWritten ? await commitAll(drafts, context.signal) : []
  const results = decisions.map(({ context: own, decision, retries }, index) => {
    const result = { ...(written[index] ?? unwritten), retries }
    printPullResult(own, decision, result)
    return pullJson(own.project, decision, result)
  })
  const [first, staging] = results
  if (first === undefined) throw new TypeError('A pull has a lock.')
  if (results.some(({ outcome }) => outcome === 'written')) await warnIfTypesNotIncluded(context)
  return {
    json: staging === undefined ? first : { ...first, staging },
    isUnasked: decisions.some(({ decision }) => decision.edits?.isUnasked === true),
  }
}

/** A draft of one lock. */
interface Pull {
  readonly context: PullContext
  readonly whole: PullDraft
  readonly retries: number
}

interface Decided extends Pull {
  readonly decision: PullDecision
}

/** Of two locks, one without a key is left alone. */
async function prepareAll(context: PullContext): Promise<Pull[]> {
  const all = (await projectsOfLocks(context)).filter((project) => project !== undefined)
  const keyed = all.filter(({ options }) => options.apiKey !== undefined)
  const pulls: Pull[] = []
  for (const project of keyed.length === 0 ? [context.project] : keyed) {
    const own = { ...context, project, ...(pulls.length > 0 && { values: stagingValues(context) }) }
    pulls.push({ context: own, ...(await prepare(own)) })
  }
  return pulls
}

/** The calls of the app are edited for one lock, since two edits of a file could contradict each other. */
function stagingValues({ values }: PullContext): PullContext['values'] {
  const { fix = false, 'skip-breaking': skips = false } = values
  return { ...values, fix: false, 'skip-breaking': fix || skips }
}

/** The code is checked with the live lock that the same pull writes. */
function besideLive(context: PullContext, live: Lock): PullContext {
  const { project } = context
  const locate: Project['locate'] = async (tsconfig) => {
    const location = await project.locate(tsconfig)
    return { ...location, locks: { ...location.locks, live } }
  }
  return { ...context, project: { ...project, locate } }
}

/** Asks on a terminal before all prompts are replaced by those of another workspace. */
async function prepare(
  context: PullContext,
  allowReplace = context.values['allow-replace'],
): Promise<{ readonly whole: PullDraft; readonly retries: number }> {
  const { project, terminal, signal, positionals, values } = context
  const what = `Pulling from ${serviceLabel(project)}`
  const { stop, onProgress, retries } = startProgress(terminal, what)
  try {
    const request = {
      slugs: positionals.length === 0 ? undefined : positionals,
      changed: values.changed,
      allowReplace,
      mustSkip: values['skip-breaking'] || values.interactive || values.fix,
    }
    const whole = await project.prepare({ ...request, signal, onProgress }).finally(stop)
    return { whole, retries: retries() }
  } catch (error) {
    const { interactive, messages } = terminal
    if (!isPromptsError(error, 'PULL_UNRELATED') || interactive === undefined) throw error
    messages.line(messages.mark('warning', error.why))
    if (!(await askYesNo('Replace the whole lock?', interactive, false))) throw error
    return prepare(context, true)
  }
}

async function markdownOf(
  decisions: readonly { readonly context: PullContext; readonly decision: PullDecision }[],
): Promise<string> {
  const { printChangeReports } = await import('../../output/print-change-report.ts')
  return printChangeReports(
    decisions.map(({ context: { project }, decision }) => {
      const { draft, rows, skipped, impact } = decision
      return {
        workspace: project.lock.workspace,
        rows,
        skipped,
        held: draft.held,
        staged: decisions.length === 1 ? draft.staged : [],
        edits: editsJson(decision),
        findings: impact === null ? undefined : (impact?.findings ?? []),
      }
    }),
  )
}

function pullJson(
  { lock: { path } }: Project,
  decision: PullDecision,
  { outcome, retries }: PullResult,
): PullJson {
  const { draft, rows, following, skipped, edits, impact, next } = decision
  const { lock, held, staged, notes, collisions, planStatus, reads, lists } = draft
  return {
    environment: lock.environment,
    lock: path,
    outcome,
    prompts: lock.prompts.length,
    changes: rows.map(withoutTexts),
    following: following.map(({ slug }) => slug),
    unchanged: countUnchanged(lock.prompts, draft.changes),
    skipped: skipped.map(withoutTexts),
    held,
    staged,
    edits: editsJson(decision),
    renames: edits?.renames.map(printRename) ?? [],
    impact: impact === null ? null : (impact?.findings ?? []),
    next: next ?? null,
    notes,
    collisions,
    planStatus,
    reads,
    lists,
    retries,
  }
}

function editsJson({ edits }: PullDecision): EditJson[] {
  return (edits?.files ?? []).map(({ file, places, patch }) => ({
    file,
    places: places.map(({ line, column }) => ({ line, column })),
    patch,
  }))
}

/** What came of a decision, and what it took. */
interface PullResult {
  readonly outcome: PullJson['outcome']
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
  readonly retries: number
}

/** Prints the result of a pull. */
function printPullResult(
  context: ProjectContext,
  { draft, edits, next }: PullDecision,
  { outcome, generated, retries }: PullResult,
): void {
  const { terminal, project } = context
  const { messages } = terminal
  const lock = displayPath(project.lock.path, context)
  const files = [lock, ...generated.map((path) => displayPath(path, context))]
  if (edits !== undefined && edits.files.length > 0) files.push(describeFiles(edits.files))
  const message = {
    written: `Wrote ${new Intl.ListFormat('en').format(files)}.`,
    unchanged: `${lock} is ${draft.skipped.length === 0 ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[outcome]
  const cost = messages.dim(costs(draft, retries).join(' · '))
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', `${message} ${cost}`))
  printNext(next, messages)
  if (next !== undefined && edits === undefined)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
}

function costs({ reads, planStatus }: PullDraft, retries: number): string[] {
  return [
    pluralize(reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
}

/** Warns if no tsconfig includes the declarations: `virtual:prompts` would be "not found". */
async function warnIfTypesNotIncluded(context: ProjectContext): Promise<void> {
  const { root, name, dts } = context.project.options
  if (dts === false) return
  const { declarationsAdvice } = await import('../../../features/generate/declarations-location.ts')
  const fix = declarationsAdvice({ root, dts, name })
  if (fix === undefined) return
  const { messages } = context.terminal
  const path = displayPath(dts, context)
  messages.line(
    messages.mark('warning', `TypeScript does not see ${path}: no tsconfig.json includes it.`),
    `  ${messages.fix(fix)}`,
  )
}
