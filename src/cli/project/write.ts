/** How commands write: the lock, after a review or at once, and the files that options name. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { changeRows, withoutTexts } from '../../core/change-row.ts'
import { heldPrompts, type HeldPrompt } from '../../core/drift.ts'
import { type Lock, type PartId, partKey } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { shellWord } from '../shell/arguments.ts'
import type { CommitOptions, CommitResult } from '../../features/project/commit.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { Project } from '../../features/project/project.ts'
import { writeExact } from '../../fs/files.ts'
import { findRepository } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'
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
  reason: { placeholder: 'text', description: 'Why, for the reviewers of the lock' },
} as const

/** The option of a command that asks before it writes. */
export const reviewOptions = {
  yes: { short: 'y', description: 'Write the lock; do not ask' },
} as const

type Editing = ProjectInvocation<typeof editOptions>
type Reviewing = ProjectInvocation<typeof editOptions & typeof reviewOptions & typeof codeOptions>

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
    printHeldSection(heldParts(lock, [part]), terminal.stdout)
    printCheckedImpact(impact, terminal.messages)
  }
  const approved = isSame || (await isApproved(invocation, isSafe(impact)))
  const json = await writeEdited(invocation, draft, approved)
  terminal.json({
    ...json,
    changes: rows.map(withoutTexts),
    impact: impactJson(impact),
    next: printNext(approved, invocation),
  } satisfies RestoreJson)
  return approved ? 0 : 3
}

/** Writes a lock of which parts were edited, prints whether it was written, and returns the answer. */
export async function writeEdited(
  invocation: Editing,
  draft: Draft,
  approved = true,
): Promise<HoldJson> {
  const { project, terminal, values } = invocation
  const { outcome } = await writeDraft(invocation, draft, { approved })
  const { path } = project.lock
  const message = outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`
  const { messages } = terminal
  messages.line('', messages.mark(approved ? 'ok' : 'error', message))
  const held = heldPrompts(approved ? draft.lock : draft.before)
  return { environment: values.environment ?? 'live', lock: path, outcome, held }
}

/** The held ones of these parts. */
export function heldParts(lock: Lock, parts: readonly PartId[]): HeldPrompt[] {
  const keys = new Set(parts.map(partKey))
  return heldPrompts(lock).filter((part) => keys.has(partKey(part)))
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

/** The folder of an app from the root of its repository, as reports need it; empty for the root. */
export function folderInRepository({ options: { root } }: Project): string {
  return relativePath(findRepository(root) ?? root, root)
}
