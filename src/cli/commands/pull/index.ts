/** A pull on the command line: prepare a draft, decide what of it is written, commit it, show the result. */
import { withoutTexts } from '../../../core/change-row.ts'
import { countUnchanged } from '../../../core/compare.ts'
import type { LostPart } from '../../../core/lock/former-lock.ts'
import { indexBySlug } from '../../../core/text/order.ts'
import { joinWords, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { isPromptsError, usageError } from '../../../errors/prompts-error.ts'
import { printRename } from '../../../features/fix/renames.ts'
import { describeServedStaging } from '../../../features/project/project.ts'
import { codeOptions } from '../../project/analyse.ts'
import {
  folderInRepository,
  printNext,
  writeDraft,
  writeOutput,
  type WriteResult,
} from '../../project/write.ts'
import { withProgress } from '../../project/progress.ts'
import { defineProjectCommand, serviceLabel } from '../../project/project-command.ts'
import { askYesNo } from '../../shell/ask.ts'
import type { Command, ExitCode } from '../../shell/command.ts'
import { describeFiles, impactJson, reportOf } from '../../view/change-view.ts'
import type { PullJson } from '../../view/json.ts'
import { decide, type Decision, type Pull, type PullContext, pullOptions } from './decide.ts'

/** `prompts pull`. */
export const pull: Command = defineProjectCommand({
  argument: {
    placeholder: '[slug…]',
    description: 'Update only these prompts; the rest of the lock stays',
  },
  details: [
    'Reads the service, and writes the lock and the declarations for you to commit. If an update breaks lines of the app, it shows them and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
    'A live key in PROMPTS_API_KEY reads the live versions; a test key in PROMPTS_TEST_API_KEY reads the staging versions into the same lock. A version that no key reads stays as it is pinned.',
    '--skip-breaking keeps the pinned version of each prompt whose update breaks the app, and of removed prompts in use. They are still reported as drift.',
    '--fix renames variables and prompts in the calls of the app. It shows every edit first. You confirm each rename on a terminal or with --rename. Prompts that it cannot edit safely stay pinned.',
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

/** Pulls: prepares a draft, decides what of it is written, commits that, and says what came of it. */
export async function runPull(
  context: PullContext,
): Promise<{ readonly json: PullJson; readonly exitCode: ExitCode }> {
  const prepared = await prepare(context)
  const decision = await decide(prepared)
  // Before the lock, so that a report that can't be written stops the pull.
  await writeReport(decision)
  const result = await writeDraft(context, decision.draft, decision)
  const next = printResult(decision, result)
  return {
    json: pullJson(decision, result.outcome, next),
    exitCode: exitCodeOf(decision, result.outcome),
  }
}

/** Asks on a terminal before all prompts are replaced by those of another workspace. */
async function prepare(
  context: PullContext,
  allowReplace = context.values['allow-replace'],
): Promise<Pull> {
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
      const draft = await project.prepare({ ...request, onProgress })
      return { context, draft, retries: retries() }
    })
  } catch (error) {
    const { interactive, messages } = terminal
    if (!isPromptsError(error, 'PULL_UNRELATED') || interactive === undefined) throw error
    messages.line(messages.mark('warning', error.why))
    if (!(await askYesNo('Replace the whole lock?', interactive, false))) throw error
    return prepare(context, true)
  }
}

/** Writes the report, if one is wanted. */
async function writeReport({ context, draft, impact, ...plan }: Decision): Promise<void> {
  const { report } = context.values
  if (report === undefined) return
  const { printChangeReport } = await import('../../view/print-change-report.ts')
  const { workspace } = context.project.lock
  const { held, kept } = draft
  const folder = folderInRepository(context.project)
  const checked = impact.kind === 'unchecked' ? undefined : reportOf(impact)
  const text = printChangeReport({ ...plan, workspace, folder, held, kept, impact: checked })
  await writeOutput(report, text, context)
}

/** Prints what came of a pull, what it took, and the command that writes it anyway, which is returned. */
function printResult(
  { context, draft, retries, edits, approved }: Decision,
  { outcome, generated }: WriteResult,
): PullJson['next'] {
  const { messages } = context.terminal
  const { path: lock } = context.project.lock
  const { reads, planStatus, skipped, kept } = draft
  // Whether it takes everything that the service lists.
  const isWhole = skipped.length + kept.length === 0
  const files = [lock, ...generated, ...(edits.length > 0 ? [describeFiles(edits)] : [])]
  const message = {
    written: `Wrote ${joinWords(files)}.`,
    unchanged: `${lock} is ${isWhole ? 'up to date' : 'unchanged'}.`,
    'dry-run': 'Dry run: nothing was written.',
    declined: `Nothing was written: ${lock} is unchanged.`,
  }[outcome]
  const costs = [
    pluralize(reads, 'read'),
    ...(retries === 0 ? [] : [`${retries} ${retries === 1 ? 'retry' : 'retries'}`]),
    ...(planStatus === 'active' ? [] : [`plan status “${sanitize(planStatus)}”`]),
  ]
  const cost = messages.dim(costs.join(' · '))
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', `${message} ${cost}`))
  const staging = describeServedStaging(context.project.options)
  if (draft.isLiveRead && staging !== undefined)
    messages.line(`Every live version was read, but ${staging}.`)
  const next = printNext(approved, context)
  if (next !== null && !context.values.fix)
    messages.line('  Or pass --skip-breaking to take only what does not break the app.')
  return next
}

function pullJson(
  decision: Decision,
  outcome: PullJson['outcome'],
  next: PullJson['next'],
): PullJson {
  const { context, draft, rows, skipped, impact, retries } = decision
  const { former, lock, held, kept, notes, collisions, planStatus, reads, lists } = draft
  return {
    environment: context.project.options.served.environment,
    lock: context.project.lock.path,
    outcome,
    prompts: indexBySlug(lock.parts).size,
    changes: rows.map(withoutTexts),
    unchanged: countUnchanged(lock, draft.changes),
    skipped: skipped.map(withoutTexts),
    held,
    kept,
    lost: former.kind === 'damaged' ? former.lost.map(withoutFormer) : [],
    edits: decision.edits.map(({ file, places, patch }) => ({
      file,
      places: places.map(({ line, column }) => ({ line, column })),
      patch,
    })),
    renames: decision.renames.map(printRename),
    impact: impactJson(impact),
    next,
    notes,
    collisions,
    planStatus,
    reads,
    lists,
    retries,
  }
}

function withoutFormer({
  slug,
  environment,
  line,
  isEdited,
  held,
}: LostPart): Omit<LostPart, 'former'> {
  return { slug, environment, line, isEdited, held }
}

/** 3 if nobody could be asked about what is left. */
function exitCodeOf({ isUnasked }: Decision, outcome: PullJson['outcome']): ExitCode {
  return outcome === 'declined' || (outcome === 'unchanged' && isUnasked) ? 3 : 0
}
