/** How commands write: a draft, and the files that options name. */
import { resolve } from 'node:path'
import { sanitize } from '../../core/text/sanitize.ts'
import { shellWord } from '../shell/arguments.ts'
import type { CommitOptions, CommitResult } from '../../features/project/commit.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { Project } from '../../features/project/project.ts'
import { writeExact } from '../../fs/files.ts'
import { findRepository } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'
import type { CommandContext } from '../shell/command.ts'
import type { PullJson } from '../view/json.ts'
import type { ProjectContext } from './project-command.ts'

/** What came of a draft. */
export interface WriteResult extends Pick<CommitResult, 'generated'> {
  readonly outcome: PullJson['outcome']
}

/** Writes a draft that is approved, unless it is a dry run. */
export async function writeDraft(
  { project, values, signal }: ProjectContext & { readonly values: { 'dry-run'?: boolean } },
  draft: Draft,
  { approved, edits }: Pick<CommitOptions, 'edits'> & { readonly approved: boolean },
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
  await writeExact(path, text, cwd)
  messages.line(`Wrote ${path}.`)
}

/** The folder of an app from the root of its repository, as reports need it; empty for the root. */
export function folderInRepository({ options: { root } }: Project): string {
  return relativePath(findRepository(root) ?? root, root)
}
