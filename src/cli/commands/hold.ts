/** What a person decides about single parts of the lock: to hold, to unhold or to restore them. */
import { changeRows, withoutTexts } from '../../core/change-row.ts'
import { heldPrompts, type HeldPrompt } from '../../core/drift.ts'
import { lockBefore } from '../../core/lock/former-lock.ts'
import {
  describePart,
  type Environment,
  indexParts,
  type Lock,
  type PartId,
  partKey,
} from '../../core/prompt.ts'
import { joinWords } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { usageError } from '../../errors/prompts-error.ts'
import { judge } from '../../plan/thread/judge.ts'
import { holdParts, holdReason, restorePart, unholdParts } from '../../plan/hold.ts'
import { changesOf, type JudgedPlan, type Plan, rowsOf } from '../../plan/plan.ts'
import { readLockAt } from '../../fs/lock-store.ts'
import { appCode, codeOptions } from '../project/analyse.ts'
import { slugArgument } from '../project/options.ts'
import { defineProjectCommand, type ProjectInvocation } from '../project/project-command.ts'
import { confirmWrite, printNext, writePlan } from '../project/write.ts'
import type { ArgumentSpec, Command, ExitCode } from '../shell/command.ts'
import {
  impactJson,
  printBreaks,
  printHeld,
  printHeldSection,
  printRows,
} from '../view/change-view.ts'
import type { HoldJson, RestoreJson } from '../view/json.ts'

/** The options of every command that edits parts of the lock. */
export const editOptions = {
  environment: {
    choices: ['live', 'test'],
    description: 'The live version, or test: the staging version (default: live)',
  },
  'dry-run': { description: 'Show what would change; write nothing' },
} as const

/** The option of a command that holds parts. */
export const reasonOption = {
  reason: { placeholder: 'text', description: 'Reason (visible in the pull request)' },
} as const

/** The option of a command that asks before it writes. */
export const reviewOptions = {
  yes: { short: 'y', description: 'Write the lock; do not ask' },
} as const

const argument: ArgumentSpec = {
  placeholder: '<slug…>',
  description: 'Slugs of the prompts, as `prompts list` names them',
  missing: 'Name a prompt.',
}

/** `prompts unhold --json`. */
export interface UnholdJson extends HoldJson {
  /** Those of the named prompts that were held. */
  readonly unheld: readonly string[]
}

/** `prompts hold`. */
export const hold: Command = defineProjectCommand({
  argument,
  details: [
    'Records in the lock that no pull may change these prompts. `diff` and `check` show the updates that wait for them, and do not fail because of them. Needs neither a network nor a key.',
  ],
  options: { ...reasonOption, ...editOptions },
  examples: [
    ['prompts hold support-triage --reason "Waiting for legal"', 'keep the pinned text'],
    ['prompts unhold support-triage', 'let the next pull update it'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    const { plan, parts } = await planEdit(invocation, (lock, slugs, environment) =>
      holdParts(lock, slugs, environment, values.reason),
    )
    printHeld(heldParts(plan.after, parts), terminal.stdout)
    printRows(changeRows(changesOf(plan)), terminal.stdout)
    terminal.json(await writeEdited(invocation, plan))
    return 0
  },
})

/** `prompts unhold`. */
export const unhold: Command = defineProjectCommand({
  argument,
  details: ['The text stays as it is until the next pull. Needs neither a network nor a key.'],
  options: editOptions,
  examples: [['prompts unhold support-triage', 'let the next pull update it']],
  async run(invocation) {
    const { terminal } = invocation
    const { plan, parts } = await planEdit(invocation, unholdParts)
    const unheld = heldParts(lockBefore(plan.before), parts)
    const slugs = new Set(unheld.map(({ slug }) => slug))
    for (const part of parts) {
      const result = slugs.has(part.slug) ? 'is no longer held.' : 'was not held.'
      terminal.stdout.line(`${describePart(part, sanitize)} ${result}`)
    }
    printRows(changeRows(changesOf(plan)), terminal.stdout)
    const json = await writeEdited(invocation, plan)
    terminal.json({ ...json, unheld: [...slugs] } satisfies UnholdJson)
    return 0
  },
})

/** `prompts restore`. */
export const restore: Command = defineProjectCommand({
  argument: slugArgument('Name a prompt.', 'the lock of that revision'),
  details: [
    'Pins a prompt as it was in the lock of a git revision, and holds it, so no pull replaces it. From HEAD it takes back what was not committed: an edit, and a hold. Needs neither a network nor a key. It also adds a removed prompt again.',
    'Shows the change and what it breaks in the app, and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
  ],
  options: {
    from: {
      placeholder: 'revision',
      description: 'Branch, tag or commit whose lock has the prompt',
    },
    reason: {
      placeholder: 'text',
      description:
        'Reason, visible in the pull request (default: restored from <revision>; from HEAD, its hold or none)',
    },
    ...editOptions,
    ...reviewOptions,
    ...codeOptions,
  },
  examples: [
    ['prompts restore support-triage --from v1.4.0', 'the text of a release'],
    ['prompts restore support-triage --from HEAD~1 --yes', 'without a question'],
    ['prompts unhold support-triage', 'let the next pull update it again'],
  ],
  async run(invocation) {
    const { project, values, positionals } = invocation
    const { from: revision, environment = 'live' } = values
    if (revision === undefined)
      throw usageError('Name a git revision: --from <revision>.', 'restore')
    const [slug = ''] = positionals
    const shown = await project.show()
    const former = await readLockAt(project.lock, revision)
    const part = { slug, environment }
    const reason = values.reason ?? (await holdReason(project.lock, revision))
    const lock = restorePart(shown.after, former, { ...part, revision, reason })
    return writeReviewed(invocation, await project.edit(shown, lock), part)
  },
})

/** A plan with an edit of the named parts, and these parts in it. */
async function planEdit(
  { project, positionals, values }: ProjectInvocation<typeof editOptions>,
  edit: (lock: Lock, slugs: readonly string[], environment: Environment) => Lock,
) {
  const { environment = 'live' } = values
  const slugs = [...new Set(positionals)]
  const shown = await project.show()
  const lock = edit(shown.after, slugs, environment)
  const plan = await project.edit(shown, lock)
  // An equal staging part ends with its hold.
  const pinned = indexParts(lock.parts)
  return { plan, parts: slugs.flatMap((slug) => pinned.get(partKey({ slug, environment })) ?? []) }
}

type Editing = ProjectInvocation<typeof editOptions>
type Reviewing = ProjectInvocation<typeof editOptions & typeof reviewOptions & typeof codeOptions>

/**
 * Shows what a plan changes in one part and what that breaks in the app, asks, writes, and prints the
 * answer.
 */
export async function writeReviewed(
  invocation: Reviewing,
  edited: Plan,
  part: PartId,
): Promise<ExitCode> {
  const { terminal } = invocation
  const plan = await judge(edited, appCode(invocation))
  const { before, after, breaks } = plan
  const rows = rowsOf(plan)
  const isSame = lockBefore(before) === after
  if (!isSame) {
    const { printDiff } = await import('../view/diff-view.ts')
    printDiff(rows, terminal.stdout)
    printHeldSection(heldParts(after, [part]), terminal.stdout)
    printBreaks(breaks, terminal.messages)
  }
  const approved = isSame || (await isApproved(invocation, plan))
  const json = await writeEdited(invocation, plan, approved)
  terminal.json({
    ...json,
    changes: rows.map(withoutTexts),
    impact: impactJson(breaks),
    next: printNext(approved, invocation),
  } satisfies RestoreJson)
  return approved ? 0 : 3
}

/** Writes a lock of which parts were edited, prints what was written, and returns the answer. */
async function writeEdited(invocation: Editing, plan: Plan, approved = true): Promise<HoldJson> {
  const { project, terminal, values } = invocation
  const { outcome, written } = await writePlan(invocation, plan, approved)
  const { path } = project.lock
  const kept = outcome === 'dry-run' ? 'Dry run: nothing was written.' : `${path} is unchanged.`
  const message = written.length > 0 ? `Wrote ${joinWords(written)}.` : kept
  const { messages } = terminal
  messages.line('', messages.mark(approved ? 'ok' : 'error', message))
  const held = heldPrompts(approved ? plan.after : lockBefore(plan.before))
  return { environment: values.environment ?? 'live', lock: path, outcome, held }
}

/** The held ones of these parts. */
function heldParts(lock: Lock, parts: readonly PartId[]): HeldPrompt[] {
  const keys = new Set(parts.map(partKey))
  return heldPrompts(lock).filter((part) => keys.has(partKey(part)))
}

async function isApproved(context: Reviewing, plan: JudgedPlan): Promise<boolean> {
  const { values, terminal } = context
  const { interactive } = terminal
  if (values.yes || values['dry-run']) return true
  if (interactive === undefined) return false
  return confirmWrite(plan, interactive, context)
}
