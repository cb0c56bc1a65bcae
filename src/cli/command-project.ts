import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DEFAULT_WORKSPACE, envVariable } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { relativeInside } from '../fs/paths.ts'
import { findProjectFolder } from '../config/project-folder.ts'
import { findPackageManager } from '../features/init/package-manager.ts'
import type { Options } from '../config/options.ts'
import { openProject, type Project } from '../features/project/project.ts'
import type { Invocation, CommandContext } from './args/command.ts'
import type { globalOptions, projectOptions } from './args/common-options.ts'

interface ProjectLocation {
  readonly root: string | undefined
  /** Name of the workspace. */
  readonly name?: string | undefined
}

/** A call of a command that works on a project; not every command asks for the workspace's name. */
export type ProjectInvocation = Invocation<
  typeof globalOptions & Omit<typeof projectOptions, 'name'>
> & { readonly values: { readonly name?: string | undefined } }

/**
 * The folder that `--root` names, absolute. Default: the project that the working directory belongs
 * to, see {@link findProjectFolder}.
 *
 * @throws PromptsError USAGE if there is no such folder
 */
export async function resolveRoot(
  { cwd }: Pick<CommandContext, 'cwd'>,
  { root, name = DEFAULT_WORKSPACE }: ProjectLocation,
): Promise<string> {
  if (root === undefined) return findProjectFolder(cwd, name)
  const path = resolve(cwd, root)
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isDirectory() === true) return path
  throw new PromptsError('USAGE', { problem: `--root: there is no folder ${path}.`, command: '' })
}

/**
 * Opens the project that a command works on, with the options of its command line. From then on
 * the key is hidden in all output.
 *
 * @throws PromptsError USAGE, and what {@link openProject} throws
 */
export async function openCommandProject(
  invocation: ProjectInvocation,
  overrides: Options = {},
): Promise<Project> {
  const { terminal, env, values } = invocation
  const { name = DEFAULT_WORKSPACE, environment, mode = env['NODE_ENV'] ?? 'production' } = values
  terminal.redact(env[envVariable(name, 'API_KEY')] ?? '')
  const root = await resolveRoot(invocation, values)
  terminal.suggestWith((await findPackageManager(root)).run)
  const project = await openProject({
    root,
    name,
    mode: mode === '' ? 'production' : mode,
    options: { ...(environment === undefined ? {} : { environment }), ...overrides },
    processEnv: env,
    warn: (message) =>
      terminal.messages.line(`${terminal.messages.style('yellow', '▲')} ${message}`),
  })
  terminal.redact(project.options.apiKey?.value ?? '')
  return project
}

/** A path as people read it: from the working directory, where it is below. */
export function displayPath(path: string, { cwd }: Pick<CommandContext, 'cwd'>): string {
  const way = relativeInside(cwd, path) ?? ''
  return way === '' ? path : way
}

/** The service of a project and what is asked of it: `https://prompts.example (live)`. */
export function serviceLabel({ options }: Project): string {
  const { baseUrl = '', environment } = options
  const address = URL.canParse(baseUrl) ? new URL(baseUrl).origin : 'the prompt service'
  return `${address} (${environment})`
}
