import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { secretForms } from '../../core/secrets.ts'
import { originOf } from '../../config/base-url.ts'
import { findProjectFolder } from '../../config/config-file.ts'
import { defaultMode, type Options } from '../../config/options.ts'
import {
  type Environment,
  type Lock,
  pairParts,
  type PinnedPrompt,
  type View,
  viewOf,
} from '../../core/prompt.ts'
import { DEFAULT_WORKSPACE, keyVariables } from '../../core/workspace-name.ts'
import { usageError } from '../../errors/prompts-error.ts'
import { findPackageManager } from '../../features/init/package-manager.ts'
import { openProject, type Project } from '../../features/project/project.ts'
import { relativeInside } from '../../fs/paths.ts'
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  defineCommand,
  type Invocation,
  type OptionTable,
  type ValuesOf,
} from '../shell/command.ts'
import { projectOptions, type viewOption } from './options.ts'

/** What a command that works on a project gets. */
export interface ProjectContext extends CommandContext {
  readonly project: Project
}

/** One call of a command that works on a project. */
export type ProjectInvocation<Table extends OptionTable> = ProjectContext &
  Invocation<Table & typeof projectOptions>

/** Defines a command that gets an open project; its options include those that select one. */
export function defineProjectCommand<const Table extends OptionTable>(
  command: CommandDefinition<Table, ProjectInvocation<Table>>,
): Command {
  return defineCommand({
    ...command,
    options: { ...command.options, ...projectOptions },
    async run(call) {
      const invocation = call as unknown as Invocation<Table & typeof projectOptions>
      const project = await openCommandProject(call)
      return command.run({ ...invocation, project })
    },
  })
}

/** A call of a command with options that select a project; not every command has all of them. */
interface ProjectCall extends CommandContext {
  readonly values: { readonly root: string | undefined } & Partial<ValuesOf<typeof projectOptions>>
}

/**
 * The absolute path of `--root`. Default: the project that the working directory belongs to, see
 * {@link findProjectFolder}. From then on commands are suggested as its package manager runs them.
 *
 * @throws PromptsError USAGE if there is no such folder
 */
export async function resolveRoot({ cwd, terminal, values }: ProjectCall): Promise<string> {
  const { root, name = DEFAULT_WORKSPACE } = values
  const path = root === undefined ? await findProjectFolder(cwd, name) : resolve(cwd, root)
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isDirectory() !== true) throw usageError(`--root is not a folder: ${path}.`)
  terminal.suggestWith((await findPackageManager(path)).run, path)
  return path
}

/**
 * Opens the project of a command with the options of its command line. From then on every key is redacted in
 * all output.
 *
 * @throws PromptsError USAGE, and what {@link openProject} throws
 */
export async function openCommandProject(
  invocation: ProjectCall,
  options: Options = {},
): Promise<Project> {
  const { terminal, env, values } = invocation
  const { name = DEFAULT_WORKSPACE, mode = defaultMode(env) } = values
  for (const variable of Object.values(keyVariables(name)))
    terminal.redact(...secretForms(env[variable] ?? ''))
  const project = await openProject({
    root: await resolveRoot(invocation),
    name,
    mode,
    options,
    processEnv: env,
    warn(message) {
      terminal.erase()
      terminal.messages.line(terminal.messages.mark('warning', message))
    },
  })
  terminal.redact(...project.options.secrets)
  return project
}

/** A path for data: relative if it is inside the working directory. In messages the terminal shortens it. */
export function displayPath(path: string, { cwd }: Pick<CommandContext, 'cwd'>): string {
  return relativeInside(cwd, path) || path
}

/** The view of a command, and what it lists: also what only staging has, unless the live view is asked for. */
export function selectView(
  lock: Lock,
  context: ProjectInvocation<typeof viewOption>,
): { readonly view: View; readonly listed: readonly PinnedPrompt[]; readonly noun: string } {
  const { values, project } = context
  const view = viewOf(lock, values.environment ?? project.options.served.environment)
  const isWhole = values.environment === undefined && view.environment === 'live'
  const listed = isWhole ? pairParts(lock).map(({ prompt }) => prompt) : view.prompts
  return { view, listed, noun: describeView(view.environment, context) }
}

/** A view of the lock, as errors name it. */
export function describeView(view: Environment, { project, cwd }: ProjectContext): string {
  const noun = view === 'live' ? 'live prompt in' : 'prompt in the test view of'
  return `${noun} ${displayPath(project.lock.path, { cwd })}`
}

/** The service of a project, such as `https://prompts.example`. */
export function serviceLabel({ options }: Project): string {
  return options.service?.name ?? originOf(options.baseUrl) ?? 'the prompt service'
}
