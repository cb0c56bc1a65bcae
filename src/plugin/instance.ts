import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import { defaultMode, type PluginOptions } from '../config/options.ts'
import { checkWorkspaceName } from '../errors/prompts-error.ts'
import type { Project } from '../features/project/project.ts'
import { type BuildContext, contextOf } from './context.ts'
import type { Host, Sessions } from './host.ts'
import { idsOf, type WorkspaceIds } from './ids.ts'

/** One call of `prompts()`. Several builds, one after the other or at once, can use the plugin that it returns. */
export interface PluginInstance {
  readonly ids: WorkspaceIds
  /**
   * A build or dev server, as its bundler tells of it.
   *
   * @returns a function that returns its host. The first call loads what a start of the bundler does not need.
   */
  build(told: Partial<BuildContext>): Build
  /**
   * Opens the project of an app outside of a build. Warnings are left to the builds.
   *
   * @param from - the app's folder, or one inside of it; absolute
   * @throws PromptsError what opening a project throws
   */
  openProject(from: string): Promise<Project>
}

export type Build = () => Promise<Host>

/**
 * Reads the options of `prompts()`.
 *
 * @throws PromptsError OPTIONS_INVALID for an invalid name
 */
export function createInstance({
  name = DEFAULT_WORKSPACE,
  ...options
}: PluginOptions = {}): PluginInstance {
  const ids = idsOf(checkWorkspaceName(name, 'the call of prompts()'))
  const shared = { options, configCache: new Map() }
  const sessions: Sessions = { shared, byContext: new Map() }
  return {
    ids,
    build(told) {
      const context = contextOf(ids, told)
      let host: Promise<Host> | undefined
      return () =>
        (host ??= import('./host.ts').then(({ openHost }) => openHost(context, sessions)))
    },
    async openProject(from) {
      const { openFrom } = await import('./host.ts')
      const mode = defaultMode(process.env)
      const warn = (): void => undefined
      return openFrom(from, { ...shared, name, mode, processEnv: process.env, warn })
    },
  }
}
