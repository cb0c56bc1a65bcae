import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import type { Options, PluginOptions } from '../config/options.ts'
import { checkWorkspaceName } from '../config/resolve-options.ts'
import { idsOf, type WorkspaceIds } from './ids.ts'
import type { BuildContext } from './build-context.ts'
import { createSession, type Session } from './session.ts'

/** One call of `prompts()`; its plugin may be put into several builds. */
export interface PluginInstance {
  readonly ids: WorkspaceIds
  /** The session for a build: builds of one place and kind share it. */
  openSession(getContext: () => BuildContext): Session
}

/**
 * Takes what `prompts()` is called with.
 *
 * @throws PromptsError OPTIONS_INVALID for a name that can't be one
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

/** Where a build runs is known when it starts, so this is asked each time. */
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
