import { PromptsError } from '../errors/prompts-error.ts'
import type { WorkspaceIds } from './ids.ts'

/**
 * Fails if a build has two plugins for the same workspace. Each would overwrite the other's lock
 * and declarations, and the bundler would call only one of them.
 *
 * @param plugins - the plugins of a build, or objects with their names
 * @throws PromptsError NAME_TAKEN
 */
export function assertSinglePlugin(
  { plugin, workspace }: WorkspaceIds,
  plugins: readonly unknown[],
): void {
  const same = new Set(plugins.filter((other) => nameOf(other) === plugin))
  if (same.size > 1) throw new PromptsError('NAME_TAKEN', { name: workspace })
}

function nameOf(plugin: unknown): string | undefined {
  if (typeof plugin !== 'object' || plugin === null || !('name' in plugin)) return undefined
  return typeof plugin.name === 'string' ? plugin.name : undefined
}
