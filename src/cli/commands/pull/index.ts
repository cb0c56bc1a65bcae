/**
 * A pull on the command line: prepare a draft of each lock, decide what of it is written, commit all or
 * nothing, and show the result.
 */
import { withoutTexts } from '../../../core/change-row.ts'
import { countUnchanged } from '../../../core/compare.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { isPromptsError, usageError } from '../../../errors/prompts-error.ts'
import { printRename } from '../../../features/fix/renames.ts'
import type { Command, ExitCode } from '../../args/command.ts'
import { askYesNo } from '../../ask.ts'
import { commandToWrite, printNext } from '../../output/approval.ts'
import { describeFiles, printLockTitle } from '../../output/change-view.ts'
import { codeOptions } from '../../output/impact-view.ts'
import type { PullJson } from '../../output/json.ts'
import { startProgress } from '../../output/progress.ts'
import { joinAnswers, writeDrafts, type WriteResult } from '../../output/write-drafts.ts'
import { writeOutput } from '../../output/write-output.ts'
import {
  defineProjectCommand,
  type ProjectContext,
  projectsOfLocks,
  serviceLabel,
} from '../../project-command.ts'
import { decide } from './decide.ts'
import { type Decision, type Pull, type PullContext, pullOptions } from './plan.ts'

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
  async run(invocation) {
    const { terminal, values } = invocation
    const problem = 'Not interactive: name the prompts to update instead of --interactive.'
    if (values.interactive && terminal.interactive === undefined) throw usageError(problem, 'pull')
    const { json, exitCode } = await runPull(invocation)
    terminal.json(json)
    return exitCode
  },
})

/** Pulls one lock or both, all or nothing. */
export async function runPull(
  context: PullContext,
): Promise<{ readonly json: PullJson; readonly exitCode: ExitCode }> {
  const { terminal, values } = context
  const pulls = await prepareAll(context)
  const decisions: Decision[] = []
  for (const lockPull of pulls) {
    const live = decisions[0]?.draft.lock
    if (live !== undefined) terminal.stdout.line()
    if (pulls.length > 1) printLockTitle(lockPull.draft.lock.environment, terminal.stdout)
    decisions.push(await decide({ ...lockPull, draft: { ...lockPull.draft, live } }))
  }
  // Before the locks, so that a report that can't be written stops the pull.
  if (values.report !== undefined)
    await writeOutput(values.report, await printReport(decisions), context)
  const drafts = decisions.map((decision) => ({ ...decision, project: decision.context.project }))
  const approved = decisions.every((decision) => decision.approved)
  const results = await writeDrafts(drafts, context, approved)
  for (const result of results) printResult(result)
  if (results.some(({ outcome }) => outcome === 'written')) await warnIfTypesNotIncluded(context)
  const json = joinAnswers(results.map(pullJson))
  const isUnasked = decisions.some((decision) => decision.isUnasked)
  const isLeft = json.outcome === 'declined' || (isUnasked && json.outcome === 'unchanged')
  return { json, exitCode: isLeft ? 3 : 0 }
}

/** Of two locks, one without a key is left alone. */
async function prepareAll(context: PullContext): Promise<Pull[]> {
  const projects = await projectsOfLocks(context)
  const keyed = projects.filter(({ options }) => options.apiKey !== undefined)
  const pulls: Pull[] = []
  for (const project of keyed.length === 0 ? [context.project] : keyed) {
    pulls.push(await prepare({ ...context, project }))
  }
  return pulls
}

/** Asks on a terminal before all prompts are replaced by those of another workspace. */
async function prepare(
  context: PullContext,
  allowReplace = context.values['allow-replace'],
): Promise<Pull> {
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
    const draft = await project.prepare({ ...request, signal, onProgress }).finally(stop)
    return { context, draft, retries: retries() }
  } catch (error) {
    const { interactive, messages } = terminal
    if (!isPromptsError(error, 'PULL_UNRELATED') || interactive === undefined) throw error
    messages.line(messages.mark('warning', error.why))
    if (!(await askYesNo('Replace the whole lock?', interactive, false))) throw error
    return prepare(context, true)
  }
}

async function printReport(decisions: readonly Decision[]): Promise<string> {
  const { printChangeReports } = await import('../../output/print-change-report.ts')
  return printChangeReports(
    decisions.map(({ context, draft, rows, skipped, impact, edits }) => ({
      workspace: context.project.lock.workspace,
      rows,
      skipped,
      held: draft.held,
      staged: decisions.length === 1 ? draft.staged : [],
      edits,
      findings: impact === null ? undefined : (impact?.findings ?? []),
    })),
  )
}

function pullJson(written: Written): PullJson {
  const { context, draft, rows, following, skipped, edits, renames, impact, approved } = written
  const { lock, held, staged, notes, collisions, planStatus, reads, lists } = draft
  return {
    environment: lock.environment,
    lock: context.project.lock.path,
    outcome: written.outcome,
    prompts: lock.prompts.length,
    changes: rows.map(withoutTexts),
    following: following.map(({ slug }) => slug),
    unchanged: countUnchanged(lock.prompts, draft.changes),
    skipped: skipped.map(withoutTexts),
    held,
    staged,
    edits: (edits ?? []).map(({ file, places, patch }) => ({
      file,
      places: places.map(({ line, column }) => ({ line, column })),
      patch,
    })),
    renames: renames?.map(printRename) ?? [],
    impact: impact === null ? null : (impact?.findings ?? []),
    next: commandToWrite(approved, context),
    notes,
    collisions,
    planStatus,
    reads,
    lists,
    retries: written.retries,
  }
}

/** A decision, and what came of it. */
interface Written extends Decision, WriteResult {}

/** Prints what came of a pull, and what it took. */
function printResult(written: Written): void {
  const { context, draft, retries, edits, approved, outcome, generated } = written
  const { messages } = context.terminal
  const { path: lock } = context.project.lock
  const files = [lock, ...generated]
  if (edits !== undefined && edits.length > 0) files.push(describeFiles(edits))
  const message = {
    written: `Wrote ${new Intl.ListFormat('en').format(files)}.`,
    unchanged: `${lock} is ${draft.skipped.length === 0 ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[outcome]
  const { reads, planStatus } = draft
  const costs = [
    pluralize(reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
  const cost = messages.dim(costs.join(' · '))
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', `${message} ${cost}`))
  const next = commandToWrite(approved, context)
  printNext(next, messages)
  if (next !== null && edits === undefined)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
}

/** Warns if no tsconfig includes the declarations: `virtual:prompts` would be "not found". */
async function warnIfTypesNotIncluded(context: ProjectContext): Promise<void> {
  const { root, name, dts } = context.project.options
  if (dts === false) return
  const { declarationsAdvice } = await import('../../../features/generate/declarations-location.ts')
  const fix = declarationsAdvice(root, dts, name)
  if (fix === undefined) return
  const { messages } = context.terminal
  messages.line(
    messages.mark('warning', `TypeScript does not see ${dts}: no tsconfig.json includes it.`),
    `  ${messages.fix(fix)}`,
  )
}
