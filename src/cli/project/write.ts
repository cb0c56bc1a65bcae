/** How commands write: the lock, after a review or at once, and the files that options name. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { changeRows, withoutTexts } from '../../core/change-row.ts'
import { heldPrompts } from '../../core/drift.ts'
import { type PartId, partKey } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { CommitOptions, CommitResult } from '../../features/project/commit.ts'
import type { Draft } from '../../features/pull/draft.ts'
import { writeExact } from '../../fs/files.ts'
import { askYesNo } from '../shell/ask.ts'
import type { CommandContext, ExitCode } from '../shell/command.ts'
import {
  impactJson,
  isSafe,
  printCheckedImpact,
  printHeldSection,
  reportOf,
} from '../view/change-view.ts'
import type { HoldJson, PullJson, RestoreJson } from '../view/json.ts'
import { checkImpact, type codeOptions } from './analyse.ts'
import type { ProjectContext, ProjectInvocation } from './project-command.ts'

/** The options of a command that changes one prompt of the lock, besides those of the code. */
export const reviewOptions = {
  'dry-run': { description: 'Show what would change; write nothing' },
  yes: { short: 'y', description: 'Write the lock; do not ask' },
} as const

type Reviewing = ProjectInvocation<typeof reviewOptions & typeof codeOptions>

/**
 * Shows what a draft changes in one part and what that breaks in the app, asks, writes, and prints the
 * answer.
 */
export async function writeReviewed(
  invocation: Reviewing,
  draft: Draft,
  part: PartId,
): Promise<ExitCode> {
  const { terminal } = invocation
  const { before, lock, changes } = draft
  const impact = await checkImpact(invocation, draft)
  const rows = changeRows(changes, reportOf(impact))
  const isSame = isDeepStrictEqual(before, lock)
  if (!isSame) {
    const { printDiff } = await import('../view/diff-view.ts')
    printDiff(rows, terminal.stdout)
    const held = heldPrompts(lock).filter((other) => partKey(other) === partKey(part))
    printHeldSection(held, terminal.stdout)
    printCheckedImpact(impact, terminal.messages)
  }
  const approved = isSame || (await isApproved(invocation, isSafe(impact)))
  const { outcome } = await writeDraft(invocation, draft, { approved })
  printLockResult(outcome, invocation)
  terminal.json({
    ...lockJson(invocation, approved ? lock : before, part, outcome),
    changes: rows.map(withoutTexts),
    impact: impactJson(impact),
    next: printNext(approved, invocation),
  } satisfies RestoreJson)
  return approved ? 0 : 3
}

async function isApproved(
  { values, terminal }: Reviewing,
  isSafeToWrite: boolean,
): Promise<boolean> {
  const { interactive } = terminal
  if (values.yes || values['dry-run']) return true
  if (interactive === undefined) return false
  const question = isSafeToWrite ? 'Write the lock?' : 'Write the lock anyway?'
  return askYesNo(question, interactive, isSafeToWrite)
}

/** What came of a draft. */
export interface WriteResult extends Pick<CommitResult, 'generated'> {
  readonly outcome: PullJson['outcome']
}

/** Writes a draft that is approved, unless it is a dry run. */
export async function writeDraft(
  { project, values, signal }: ProjectContext & { readonly values: { 'dry-run'?: boolean } },
  draft: Draft,
  { approved = true, edits }: Pick<CommitOptions, 'edits'> & { readonly approved?: boolean } = {},
): Promise<WriteResult> {
  if (!approved) return { outcome: 'declined', generated: [] }
  if (values['dry-run']) return { outcome: 'dry-run', generated: [] }
  return project.commit(draft, { edits, signal })
}

/** Prints whether a command that edits the lock has written it. */
export function printLockResult(
  outcome: WriteResult['outcome'],
  { project, terminal: { messages } }: ProjectContext,
): void {
  const { path } = project.lock
  const message = outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', message))
}

/** The answer of a command that edits parts of the lock. */
export function lockJson(
  { project }: ProjectContext,
  lock: Draft['lock'],
  { environment }: Pick<PartId, 'environment'>,
  outcome: WriteResult['outcome'],
): HoldJson {
  return { environment, lock: project.lock.path, outcome, held: heldPrompts(lock) }
}

/**
 * Prints the command that writes a lock anyway.
 *
 * @returns its words; `null` if the lock is approved, or a person has declined it
 */
export function printNext(
  approved: boolean,
  { terminal: { interactive, messages }, argv }: CommandContext,
): string[] | null {
  if (approved || interactive !== undefined) return null
  const next = ['prompts', ...addOptions(argv, '--yes')]
  messages.line(`  Not interactive: pass --yes to write it anyway: ${printCommand(next)}`)
  return next
}

/** The same command line with more options. */
export function addOptions(argv: readonly string[], ...options: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.toSpliced(end === -1 ? argv.length : end, 0, ...options)
}

/** Prints a command as a POSIX shell reads it. */
export function printCommand(words: readonly string[]): string {
  return `\`npx ${words.map((word) => shellWord(sanitize(word))).join(' ')}\``
}

/**
 * Writes a file that an option names, byte for byte, and prints that.
 *
 * @throws PromptsError FILE_UNWRITABLE
 */
export async function writeOutput(
  name: string,
  text: string,
  { cwd, terminal: { messages } }: Pick<ProjectContext, 'cwd' | 'terminal'>,
): Promise<void> {
  const path = resolve(cwd, name)
  await writeExact(path, text, { root: cwd })
  messages.line(`Wrote ${path}.`)
}
