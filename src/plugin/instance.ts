import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import type { Options, PluginOptions } from '../config/options.ts'
import { checkWorkspaceName } from '../config/resolve-options.ts'
import { idsOf, type WorkspaceIds } from './ids.ts'
import type { BuildContext } from './build-context.ts'
import { createSession, type Session } from './session.ts'

/** One call of `prompts()`. Several builds can use the plugin that it returns. */
export interface PluginInstance {
  readonly ids: WorkspaceIds
  /** The session of a build. Builds with the same folder, mode and bundler share one. */
  openSession(getContext: () => BuildContext): Session
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
  return {
    ids,
    openSession(getContext) {
      const shared = (): Session => sharedSession(sessions, options, getContext())
      return {
        label: ids.plugin,
        project: () => shared().project(),
        snapshot: () => shared().snapshot(),
        reload: () => shared().reload(),
        writeDeclarations: () => shared().writeDeclarations(),
        refresh: () => shared().refresh(),
        sources: () => shared().sources(),
        staleSource: () => shared().staleSource(),
      }
    },
  }
}

/** The context of a build is known only when it starts, so every call looks the session up. */
function sharedSession(
  sessions: Map<string, Session>,
  options: Options,
  buildContext: BuildContext,
): Session {
  const { bundler, root, envDir, mode, published, production, byUse } = buildContext
  const key = JSON.stringify([bundler, root, envDir, mode, published, production, byUse])
  const session = sessions.get(key) ?? createSession(options, () => buildContext)
  sessions.set(key, session)
  return session
}
