import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import type { PluginOptions } from '../config/options.ts'
import { findProjectFolder } from '../config/project-folder.ts'
import type { ResolvedOptions } from '../config/resolved-options.ts'
import { openProject } from '../features/project/project.ts'

/**
 * Reads the options of an app before its bundler starts. Warnings are left to the plugin, which reads
 * them again.
 *
 * @param from - the app's folder, or one inside of it; absolute
 * @throws PromptsError what {@link openProject} throws
 */
export async function readOptions(
  { name = DEFAULT_WORKSPACE, ...options }: PluginOptions,
  from: string,
): Promise<ResolvedOptions> {
  const root = await findProjectFolder(from, name)
  const mode = process.env['NODE_ENV'] ?? 'development'
  const warn = (): void => undefined
  const settings = { root, name, mode, options, processEnv: process.env, warn }
  return (await openProject(settings)).options
}
