/** A pull on the command line: prepare a plan, decide what of it is written, commit it, show the result. */
import {
  type ComparedRow,
  usedPrompt,
  withContext,
  withoutTexts,
} from '../../../core/change-row.ts'
import { countUnchanged } from '../../../core/compare.ts'
import { findNewNotes } from '../../../core/notes.ts'
import { indexBySlug } from '../../../core/text/order.ts'
import { joinWords, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { asPromptsError, isPromptsError, usageError } from '../../../errors/prompts-error.ts'
import { printRename } from '../../../plan/fix/renames.ts'
import { describeServedStaging } from '../../../features/project/project.ts'
import { collisionsOf, type JudgedPlan, type Plan, rowsOf } from '../../../plan/plan.ts'
import type { PullReport } from '../../../plan/pull.ts'
import { reportOf } from '../../../judge/impact.ts'
import { lockError } from '../../../fs/lock-store.ts'
import { relativePath } from '../../../fs/paths.ts'
import { codeOptions, findUsage } from '../../project/analyse.ts'
import {
  editsJson,
  folderInRepository,
  printNext,
  writeOutput,
  writePlan,
} from '../../project/write.ts'
import { withProgress } from '../../project/progress.ts'
import { defineProjectCommand, serviceLabel } from '../../project/project-command.ts'
import { askYesNo } from '../../shell/ask.ts'
import type { Command, ExitCode } from '../../shell/command.ts'
import { impactJson } from '../../view/change-view.ts'
import type { EditJson, PullJson } from '../../view/json.ts'
import { type PlanOrigin, printPlan } from '../../view/plan-view.ts'
import { type PullContext, pullOptions } from './context.ts'
import { decide } from './decide.ts'
import { isAsked } from './fix.ts'

/** `prompts pull`. */
export const pull: Command = defineProjectCommand({
  argument: {
    placeholder: '[slug…]',
    description: 'Update only these prompts; the rest of the lock stays',
  },
  details: [
    'Reads the service, and writes the lock and the declarations for you to commit. If an update breaks lines of the app, it shows them and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
    'A live key in PROMPTS_API_KEY reads the live versions; a test key in PROMPTS_TEST_API_KEY reads the staging versions into the same lock. A version that no key reads stays as it is pinned.',
    '--skip-breaking keeps the pinned version of each prompt whose update breaks the app, and of removed prompts in use. `check` still reports them.',
    '--fix renames variables and prompts in the calls of the app. It shows every edit first. You confirm each rename on a terminal or with --rename. Prompts that it cannot edit safely stay pinned.',
    'A pull fetches every prompt, because drafts and temperatures change under the same label. On a metered plan, --changed fetches fewer.',
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

/** Pulls: prepares a plan, decides what of it is written, commits that, and says what came of it. */
export async function runPull(
  context: PullContext,
): Promise<{ readonly json: PullJson; readonly exitCode: ExitCode }> {
  const { plan: prepared, report } = await prepare(context)
  const decided = await decide(prepared, context, async (next) => {
    const edits = await editsJson(next, context.project)
    printPlan(next, report, edits, originOf(next, context), context.terminal)
    return edits
  })
  const { plan, edits, fix, renames = [], isApproved } = decided
  // Before the lock, so that a report that can't be written stops the pull.
  await writeReport(plan, report, edits, context)
  const { outcome, written } = await writePlan(context, plan, isApproved)
  const next = printResult(plan, report, { outcome, written, isApproved }, context)
  const json = { ...pullJson(plan, report, context), outcome, edits, next }
  // Guesses that nobody could be asked about.
  const isUnasked = context.values.fix && !isAsked(context) && fix?.guesses.length
  const isOpen = outcome === 'declined' || (outcome === 'unchanged' && isUnasked)
  return { json: { ...json, renames: renames.map(printRename) }, exitCode: isOpen ? 3 : 0 }
}

/** What a pull has read, and the number of retried requests. */
type Report = PullReport & Pick<PullJson, 'retries'>

/** Asks on a terminal before all prompts are replaced by those of another workspace. */
async function prepare(
  context: PullContext,
  allowReplace = context.values['allow-replace'],
): Promise<{ readonly plan: Plan; readonly report: Report }> {
  const { project, terminal, signal, positionals, values } = context
  const slugs = positionals.length === 0 ? undefined : positionals
  // These are for the update of a lock, such as by a scheduled job.
  const needsLock = values['skip-breaking'] || values.report !== undefined
  const { changed } = values
  const isPlain = slugs === undefined && !changed && !needsLock && !values.fix
  const request = { slugs, changed, allowReplace, needsLock, repairs: isPlain, signal }
  const label = `Pulling from ${serviceLabel(project)}`
  try {
    return await withProgress(terminal, label, async ({ onProgress, retries }) => {
      const { plan, report } = await project.prepare({ ...request, onProgress })
      return { plan, report: { ...report, retries: retries() } }
    })
  } catch (error) {
    const { interactive, messages } = terminal
    if (!isPromptsError(error, 'PULL_UNRELATED') || interactive === undefined) throw error
    messages.line(messages.mark('warning', error.why))
    if (!(await askYesNo('Replace the whole lock?', interactive, false))) throw error
    return prepare(context, true)
  }
}

/** What a plan is about, besides its values. */
function originOf({ before }: Plan, { project }: PullContext): PlanOrigin {
  const { root, dts, outDir, served } = project.options
  const fault = before.kind === 'none' ? undefined : before.fault
  return {
    workspace: project.lock.workspace,
    view: served.environment,
    // An app without the declarations of `virtual:prompts` imports the folder.
    folder:
      dts === false && outDir !== undefined
        ? `./${relativePath(root, outDir)}/staging/index.js`
        : undefined,
    damage: fault && lockError(fault, project.lock).why,
  }
}

/** Writes the report, if one is wanted. */
async function writeReport(
  plan: JudgedPlan,
  { held, kept }: PullReport,
  edits: readonly EditJson[],
  context: PullContext,
): Promise<void> {
  const { report } = context.values
  if (report === undefined) return
  const { printChangeReport } = await import('../../view/print-change-report.ts')
  const { left: skipped, breaks } = plan
  const { workspace } = context.project.lock
  const folder = folderInRepository(context.project)
  const unchecked = breaks.kind === 'unchecked' ? breaks.reason : undefined
  const impact = reportOf(breaks)
  const rows = await withUses(plan, context)
  const { stdout } = context.terminal
  const judged = { impact, unchecked, skipped, edits }
  const content = stdout.masked({ rows, held, kept, ...judged, workspace, folder })
  await writeOutput(report, printChangeReport(content), context)
}

/** A reviewer wants to know where a prompt is used, also of one that breaks nothing and so needed no check. */
async function withUses(plan: JudgedPlan, context: PullContext): Promise<readonly ComparedRow[]> {
  const rows = rowsOf(plan)
  if (rows.every(({ files }) => files !== null)) return rows
  const usage = await findUsage(context, plan.after).catch(asPromptsError)
  if (isPromptsError(usage)) return rows
  const used = usage.prompts.map(({ slug, sites }) => usedPrompt(slug, sites))
  return withContext(rows, { used })
}

/** Prints what came of a pull, and the command that writes it anyway, which is returned. */
function printResult(
  { before, left }: Plan,
  { reads, retries, planStatus, held, kept, isLiveRead }: Report,
  {
    outcome,
    written,
    isApproved,
  }: Awaited<ReturnType<typeof writePlan>> & { readonly isApproved: boolean },
  context: PullContext,
): PullJson['next'] {
  const { positionals, values } = context
  const { messages } = context.terminal
  const besides = values.report === undefined ? '' : 'else '
  const { path: lock } = context.project.lock
  // Whether everything that the service lists was read and taken.
  const isTaken = left.length + kept.length === 0 && held.every(({ update }) => !update)
  const isWhole = !values.changed && positionals.length === 0 && isTaken
  const wrote = `Wrote ${joinWords(written)}.`
  const message = {
    written: wrote,
    unchanged: written.length > 0 ? wrote : `${lock} is ${isWhole ? 'up to date' : 'unchanged'}.`,
    'dry-run': `Dry run: nothing ${besides}was written.`,
    declined: `Nothing ${besides}was written: ${lock} is unchanged.`,
  }[outcome]
  const costs = [
    `${pluralize(reads, 'prompt')} fetched`,
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
  const cost = messages.dim(costs.join(' · '))
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', `${message} ${cost}`))
  const staging = describeServedStaging(context.project.options)
  if (isLiveRead && staging !== undefined)
    messages.line(`Every live version was read, but ${staging}.`)
  const next = printNext(isApproved, context)
  if (next !== null && !values.fix && before.kind !== 'damaged')
    messages.line('  Or pass --skip-breaking to pull only what does not break the app.')
  return next
}

function pullJson(
  plan: JudgedPlan,
  { held, kept, planStatus, reads, lists, retries }: Report,
  { project }: PullContext,
): Omit<PullJson, 'outcome' | 'edits' | 'next' | 'renames'> {
  const { before, after, left, breaks } = plan
  const rows = rowsOf(plan)
  return {
    environment: project.options.served.environment,
    lock: project.lock.path,
    prompts: indexBySlug(after.parts).size,
    changes: rows.map(withoutTexts),
    unchanged: countUnchanged(after, rows),
    skipped: left.map(withoutTexts),
    lost: before.kind === 'damaged' ? before.lost.map(({ former: __, ...part }) => part) : [],
    held,
    kept,
    impact: impactJson(breaks),
    notes: findNewNotes(rows.map(({ change }) => change)),
    collisions: collisionsOf(plan, project.options.served.environment),
    planStatus,
    reads,
    lists,
    retries,
  }
}
