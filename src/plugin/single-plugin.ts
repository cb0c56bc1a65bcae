import { PromptsError } from '../errors/prompts-error.ts'
import type { WorkspaceIds } from './ids.ts'

/**
 * Refuses a second call for the same workspace: each would write the other's lock and
 * declarations, and only one would be asked for its module.
 *
 * @param plugins - all of a build, or what bundlers keep of them, with their names
 * @throws PromptsError NAME_TAKEN
 */
export function assertSinglePlugin(
  { plugin, workspace }: WorkspaceIds,
  plugins: readonly unknown[],
): void {
  const same = new Set(plugins.filter((other) => nameOf(other) === plugin))
  if (same.size > 1) throw new PromptsError('NAME_TAKEN', { name: workspace })
}

/** The name of a plugin of a build. */
function nameOf(plugin: unknown): string | undefined {
  if (typeof plugin !== 'object' || plugin === null || !('name' in plugin)) return undefined
  return typeof plugin.name === 'string' ? plugin.name : undefined
}
