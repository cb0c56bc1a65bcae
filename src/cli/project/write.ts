/** How commands write: a plan, and the files that options name. */
import { resolve } from 'node:path'
import { joinWords } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { shellWord } from '../../core/part-command.ts'
import type { Project } from '../../features/project/project.ts'
import type { JudgedPlan, Plan } from '../../plan/plan.ts'
import { isSafe } from '../../judge/impact.ts'
import { writeExact } from '../../fs/write-file.ts'
import { findRepository } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'
import { askYesNo } from '../shell/ask.ts'
import type { CommandContext } from '../shell/command.ts'
import type { InteractiveStreams } from '../shell/terminal.ts'
import type { EditJson, PullJson } from '../view/json.ts'
import { displayPath, type ProjectContext } from './project-command.ts'

/** Writes a plan that is approved, unless it is a dry run. Returns what came of it, and the absolute paths. */
export async function writePlan(
  { project, values, signal }: ProjectContext & { readonly values: { 'dry-run'?: boolean } },
  plan: Plan,
  isApproved: boolean,
): Promise<{ readonly outcome: PullJson['outcome']; readonly written: readonly string[] }> {
  if (!isApproved) return { outcome: 'declined', written: [] }
  if (values['dry-run']) return { outcome: 'dry-run', written: [] }
  const written = await project.commit(plan, signal)
  const isPinned = written.includes(project.lock.path)
  return { outcome: isPinned ? 'written' : 'unchanged', written }
}

/** Asks before a plan is written. What breaks the app, or was not checked, is written anyway: no is the answer on Enter. */
export async function confirmWrite(
  plan: JudgedPlan,
  interactive: InteractiveStreams,
  context: ProjectContext,
): Promise<boolean> {
  const isHarmless = isSafe(plan.breaks)
  const files = await filesToWrite(plan, context)
  return askYesNo(`Write ${files}${isHarmless ? '' : ' anyway'}?`, interactive, isHarmless)
}

/** Every file that a plan writes, for a question. */
export async function filesToWrite(plan: Plan, { project, cwd }: ProjectContext): Promise<string> {
  const paths = await project.preview(plan)
  return sanitize(joinWords(paths.map((path) => displayPath(path, { cwd }))))
}

/** The edits of a plan with their patches. */
export async function editsJson({ edits }: Plan, { options }: Project): Promise<EditJson[]> {
  if (edits.length === 0) return []
  // On use: it loads the diff library.
  const { unifiedPatch } = await import('../../features/diff/text-diff.ts')
  return edits.map(({ path, before, after, places }) => {
    const file = relativePath(options.root, path)
    const name = sanitize(file)
    return {
      file,
      patch: unifiedPatch(before, after, `a/${name}`, `b/${name}`),
      places: places.map(({ line, column }) => ({ line, column })),
    }
  })
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
