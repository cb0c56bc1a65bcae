import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import { defaultMode, type PluginOptions } from '../config/options.ts'
import { checkWorkspaceName } from '../errors/prompts-error.ts'
import type { Project } from '../features/project/project.ts'
import { idsOf, type WorkspaceIds } from './ids.ts'
import { type BuildContext, type OpenProject, Session } from './session.ts'

/** One call of `prompts()`. Several builds can use the plugin that it returns. */
export interface PluginInstance {
  readonly ids: WorkspaceIds
  /** The session of a build. Builds that differ in nothing that its code depends on share one. */
  session(context: BuildContext): Session
  /**
   * Opens the project of an app outside of a session. Warnings are left to the sessions.
   *
   * @param from - the app's folder, or one inside of it; absolute
   * @throws PromptsError what opening a project throws
   */
  openProject(from: string): Promise<Project>
}

/**
 * Reads the options of `prompts()`.
 *
 * @throws PromptsError OPTIONS_INVALID for an invalid name
 */
export function createInstance({
  name = DEFAULT_WORKSPACE,
  ...options
}: PluginOptions = {}): PluginInstance {
  const sessions = new Map<string, Session>()
  const ids = idsOf(checkWorkspaceName(name, 'the call of prompts()'))
  const shared = { options, configCache: new Map() }
  const open: OpenProject = async (settings) => {
    const { openProject } = await import('./build.ts')
    return openProject(settings)
  }
  return {
    ids,
    session(context) {
      const { shape, root, envDir, mode, published, production, groups } = context
      const key = JSON.stringify([shape, root, envDir, mode, published, production, groups])
      const session = sessions.get(key) ?? new Session(shared, context, open)
      sessions.set(key, session)
      return session
    },
    async openProject(from) {
      const { findProjectFolder } = await import('./build.ts')
      const root = await findProjectFolder(from, name)
      const mode = defaultMode(process.env)
      const warn = (): void => undefined
      return open({ ...shared, root, name, mode, processEnv: process.env, warn })
    },
  }
}
