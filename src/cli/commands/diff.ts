import {
  type ChangedText,
  changedTexts,
  type ChangeRow,
  changeRows,
  type ComparedRow,
  usedPrompt,
  withoutTexts,
} from '../../core/change-row.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { formatCommand } from '../../core/workspace-name.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import { indexParts, type Lock, partKey } from '../../core/prompt.ts'
import { type ImpactFinding, usedBy } from '../../core/impact.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import {
  diffLocks,
  type DiffReport,
  readAddedNames,
  readDiff,
  readIfPublished,
  type ServiceDiffReport,
} from '../../features/diff/diff.ts'
import type { ImpactReport } from '../../judge/analyse-impact.ts'
import type { UsageReport } from '../../judge/analyse-usage.ts'
import { findMergeBase } from '../../fs/git.ts'
import { type LockStore, readLockAt, readRequiredLock } from '../../fs/lock-store.ts'
import { codeOptions, findImpact, findUsage } from '../project/analyse.ts'
import { withProgress } from '../project/progress.ts'
import {
  defineProjectCommand,
  type ProjectInvocation,
  serviceLabel,
} from '../project/project-command.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { folderInRepository, writeOutput } from '../project/write.ts'
import type { Command } from '../shell/command.ts'
import { printHeldSection, printImpact, printKept, printPatch } from '../view/change-view.ts'

const options = {
  base: {
    placeholder: 'revision',
    description: 'Compare with the lock where this branch left a git revision, not the service',
  },
  'if-published': {
    description:
      'Compare the live versions with the staging versions: what publishing would change',
  },
  impact: { description: 'Type-check the app: show the code that would break' },
  'fail-on': {
    choices: ['any', 'breaking', 'cache'],
    description:
      'Exit with 3 if anything differs, if a line of the app breaks or was not checked, or if a cacheable prefix is lost',
  },
  format: {
    choices: ['text', 'patch', 'markdown'],
    description: 'patch is for git and patch, markdown for a pull request (default: text)',
  },
  output: {
    placeholder: 'file',
    description: 'Write the patches or the Markdown to a file, byte for byte',
  },
  ...codeOptions,
} as const

type DiffInvocation = ProjectInvocation<typeof options>

/** One prompt of `prompts diff --json`. Texts are unescaped. */
interface DiffPromptJson extends ChangeRow {
  /** The full text of the fields that differ. */
  readonly texts: readonly ChangedText[]
  /** The files that use the prompt, directly or through imports; `null` if the app can't be analysed. */
  readonly files: readonly string[] | null
}

/**
 * `prompts diff --json`. With `--if-published` there is no `held`; with `--base` no `kept`, `unread`,
 * `planStatus` and `reads` either.
 */
export interface DiffJson extends Partial<
  Omit<ServiceDiffReport, 'changes' | 'unchanged' | 'remarks'>
> {
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly DiffPromptJson[]
  readonly unchanged: number
  /**
   * Only with `--impact` or `--fail-on breaking`: lines that stop compiling or were not checked. Reasons and
   * messages may contain remote text.
   */
  readonly impact?: readonly ImpactFinding[]
}

/** `prompts diff`. */
export const diff: Command = defineProjectCommand({
  argument: { placeholder: '[slug…]', description: 'Compare only these prompts' },
  details: [
    'Compares the lock with the service, and writes nothing. --if-published shows what would change for code that uses the live versions if every staging version were live. --base shows what this branch changed, without a key or a request.',
    'A change is breaking if a line of the app stops compiling. --impact and --fail-on breaking type-check the app.',
    'On stdout, hidden characters have names and CI commands are escaped. --output writes the exact bytes, except for keys.',
  ],
  options,
  conflicts: [
    ['base', 'if-published'],
    ['json', 'format patch'],
    ['json', 'format markdown'],
  ],
  needs: [['output', 'format patch', 'format markdown']],
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --format patch', 'one prompt, as a patch'],
    ['prompts diff --if-published --fail-on breaking', 'a gate before publishing'],
    ['prompts diff --impact', 'also the lines of the app that would break'],
    ['prompts diff --base origin/main', 'what this branch changes, without a key'],
    ['prompts diff --base origin/main --fail-on breaking', 'a gate for a pull request'],
    ['prompts diff --format patch --output prompts.patch', 'a patch that applies, in CI too'],
    ['prompts diff --impact --format markdown --output report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const { terminal, values, project } = invocation
    const lockDiff = await readLockDiff(invocation)
    terminal.json(diffJson(lockDiff, project.lock.path))
    await printReport(lockDiff, invocation)
    return isRefused(lockDiff, values) ? 3 : 0
  },
})

/** How a lock differs from the service or from a git revision, and what that means for the app. */
interface LockDiff {
  readonly report: DiffReport & Partial<ServiceDiffReport>
  readonly rows: readonly ComparedRow[]
  /** What breaks in the app, with `--impact` or `--fail-on breaking`. */
  readonly impact: ImpactReport | undefined
  /** The uses of the prompts of both sides, if they were analysed: with `--impact` or `--json`. */
  readonly usage?: UsageReport | undefined
}

/**
 * The differences of the lock from the service; with `--base` from the lock of a git revision, and with
 * `--if-published` from one whose live versions are the staging versions.
 *
 * @throws PromptsError LOCK_MISSING, REVISION_UNREADABLE, SLUG_UNKNOWN; TSCONFIG_INVALID,
 *   TYPES_NOT_FOUND; what reading the lock and the service throw
 */
async function readLockDiff(invocation: DiffInvocation): Promise<LockDiff> {
  const { project, positionals, values, terminal } = invocation
  const slugs = positionals.length === 0 ? undefined : positionals
  const lock = await readRequiredLock(project.lock)
  const { before, report, ...sides } =
    values.base === undefined
      ? await readService(invocation, lock, slugs)
      : await readRevision(values.base, project.lock, lock, slugs)
  const { changes, unread, remarks } = report
  const after = applyChanges(before, changes)
  const isRisky = values['fail-on'] === 'breaking' && riskyChanges(changes).length > 0
  const isChecked = values.impact || isRisky
  const impact = isChecked ? await findImpact(invocation, { before, after }) : undefined
  const isListed = terminal.isJson && changes.length > 0
  const usage = sides.usage ?? (isListed ? await readUsage(invocation, before, changes) : undefined)
  const used = usage?.prompts
    .filter(isUsedIn(usage))
    .map(({ slug, sites }) => usedPrompt(slug, sites))
  const rows = changeRows(changes, { used, ...impact, unread, remarks })
  return { report, rows, impact, usage }
}

interface Sides extends Pick<LockDiff, 'report' | 'usage'> {
  readonly before: Lock
}

async function readRevision(
  revision: string,
  store: LockStore,
  lock: Lock,
  slugs: readonly string[] | undefined,
): Promise<Sides> {
  const former = await readLockAt(store, await findMergeBase(store.path, revision))
  const before = former ?? { ...lock, parts: [] }
  return { before, report: diffLocks(before, lock, slugs) }
}

function readService(
  invocation: DiffInvocation,
  before: Lock,
  slugs: readonly string[] | undefined,
): Promise<Sides> {
  const { project, terminal, signal, values } = invocation
  const isPublishing = values['if-published']
  // A patch has all texts, and so have prompts that are named. Without its text, no prefix is known.
  const needsTexts = values.format === 'patch' || values['fail-on'] === 'cache'
  const readsAll = !values.impact || needsTexts || slugs !== undefined
  return withProgress(terminal, `Reading ${serviceLabel(project)}`, async ({ onProgress }) => {
    const call = { onProgress, signal, ...(isPublishing && ({ staging: true } as const)) }
    const lock = readsAll ? undefined : await readAddedNames(project, before, call)
    const usage = lock && (await findUsage(invocation, lock))
    const request = { before, slugs, isRead: usage && isUsedIn(usage), ...call }
    if (isPublishing) return { ...(await readIfPublished(project, request)), usage }
    return { before, report: await readDiff(project, request), usage }
  })
}

/** The uses of the prompts of both locks; `undefined` if the app can't be analysed. */
async function readUsage(
  invocation: DiffInvocation,
  before: Lock,
  changes: readonly PromptChange[],
): Promise<UsageReport | undefined> {
  const others = changes.filter(({ kind }) => kind !== 'removed')
  const usage = await findUsage(invocation, applyChanges(before, others)).catch(asPromptsError)
  return isPromptsError(usage) ? undefined : usage
}

function isUsedIn({ prompts, escapes }: UsageReport): ReturnType<typeof usedBy> {
  return usedBy({ escapes, sites: prompts.flatMap(({ sites }) => sites) })
}

function diffJson({ report, rows, impact, usage }: LockDiff, lock: string): DiffJson {
  const { changes: _, remarks: __, ...service } = report
  const filesOf = usage && new Map(usage.prompts.map(({ slug, files }) => [slug, files]))
  const prompts = rows.map((row) => ({
    ...withoutTexts(row),
    texts: changedTexts(row.change),
    files: filesOf === undefined ? null : (filesOf.get(row.slug) ?? []),
  }))
  const code = impact && { impact: impact.findings }
  return { lock, prompts, ...service, ...code }
}

function isRefused({ rows, impact }: LockDiff, values: DiffInvocation['values']): boolean {
  const fails = {
    any: rows.length > 0,
    breaking: (impact?.findings.length ?? 0) > 0,
    cache: rows.some(({ effects }) => effects.some(({ kind }) => kind === 'cacheable-prefix')),
  }
  return values['fail-on'] !== undefined && fails[values['fail-on']]
}

/** Prints the changes, or writes them to the file of `--output`, which is empty if nothing has changed. */
async function printReport(lockDiff: LockDiff, invocation: DiffInvocation): Promise<void> {
  const { terminal, values, project } = invocation
  const { stdout, messages } = terminal
  const { rows, impact, report } = lockDiff
  const isSame = rows.length === 0
  const { held = [], kept = [], reads } = report
  const isMarkdown = values.format === 'markdown'
  if (values.output !== undefined)
    await writeOutput(values.output, await textOf(lockDiff, invocation), invocation)
  else if (isMarkdown) stdout.exactLine((await textOf(lockDiff, invocation)).trimEnd())
  // Loads the diff library.
  else if (!isSame && values.format === 'patch')
    printPatch(await textOf(lockDiff, invocation), stdout)
  else if (!isSame && !terminal.isJson) {
    const { printDiff } = await import('../view/diff-view.ts')
    printDiff(rows, stdout)
  }
  if (!isMarkdown) {
    // A patch is for programs.
    if (impact !== undefined && !isSame)
      printImpact(impact, values.format === 'patch' ? messages : stdout)
    printHeldSection(held, messages)
    printKept(kept, messages)
  }
  if (!isSame || held.length + kept.length > 0 || isMarkdown) messages.line()
  const cost =
    reads === undefined ? '' : ` ${messages.dim(`${pluralize(reads, 'prompt')} fetched`)}`
  messages.line(summaryOf(lockDiff, invocation) + cost)
  if (values.base !== undefined || values['if-published']) return
  const skipped = indexParts(held)
  const { length } = rows.filter((row) => !skipped.has(partKey(row)))
  if (length === 0) return
  const updated = length < rows.length ? `${length} of them` : length === 1 ? 'it' : 'them'
  const command = formatCommand(project.lock.workspace, 'pull')
  messages.line(messages.dim(`\`npx ${command}\` updates ${updated}.`))
}

/** The Markdown, or the patches, without secrets: others read the file too. */
async function textOf(
  { rows, impact, report: { held, kept } }: LockDiff,
  { project, values, terminal: { stdout } }: DiffInvocation,
): Promise<string> {
  if (values.format !== 'markdown') {
    const { unifiedPatches } = await import('../view/diff-view.ts')
    return unifiedPatches(stdout.masked(rows))
  }
  const { printChangeReport } = await import('../view/print-change-report.ts')
  const { workspace } = project.lock
  const folder = folderInRepository(project)
  return printChangeReport(stdout.masked({ workspace, folder, rows, held, kept, impact }))
}

function summaryOf(
  { rows, report: { unchanged, held = [], kept = [], unread = [], reads } }: LockDiff,
  { project, values, positionals }: DiffInvocation,
): string {
  const { path } = project.lock
  const misfits = indexParts(kept.filter(({ reason }) => reason === 'refused'))
  const missing = [...indexParts([...unread, ...kept]).keys()].filter((key) => !misfits.has(key))
  // Who names prompts gets the updates of these, held or not, as rows.
  const updates = positionals.length > 0 ? [] : held.filter(({ update }) => update)
  const limits = [
    updates.length > 0 && `; ${pluralize(updates.length, 'held update')}`,
    missing.length > 0 && `; ${formatCount(missing.length)} not fetched`,
    misfits.size > 0 &&
      `; ${formatCount(misfits.size)} ${misfits.size === 1 ? 'does' : 'do'} not fit`,
  ]
  const limit = limits.filter(Boolean).join('')
  const { size } = indexBySlug(rows)
  const share = `${formatCount(size)} of ${pluralize(size + unchanged, 'prompt')}`
  if (values['if-published']) {
    const what = size === 0 ? 'Nothing' : share
    return `${what} would change in the live view if all staging versions were live${limit}.`
  }
  const { base } = values
  const subject = base === undefined ? path : `${path} at ${sanitize(base)}`
  if (size === 0 && base !== undefined) return `No prompt differs from ${subject}.`
  if (size === 0 && limit === '' && positionals.length === 0) return `${path} is up to date.`
  const texts = pluralize((reads ?? 0) - misfits.size, 'text')
  if (size === 0) return `${path}: no difference in ${texts}${limit}.`
  return `${share} ${size === 1 ? 'differs' : 'differ'} from ${subject}${limit}.`
}
