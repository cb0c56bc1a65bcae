import { DEFAULT_NAME } from '../core/workspace-name.ts'
import { type Options, type PluginOptions, requireName } from '../config/options.ts'
import { idsOf, type WorkspaceIds } from './ids.ts'
import { createSession, type Session, type Surroundings } from './session.ts'

/** One call of `prompts()`; its plugin may be put into several builds. */
export interface Call {
  readonly ids: WorkspaceIds
  /** The session for a build: builds of one place and kind share it. */
  session(surroundings: () => Surroundings): Session
}

/**
 * Takes what `prompts()` is called with.
 *
 * @throws PromptsError OPTIONS_INVALID for a name that can't be one
 */
export function readCall({ name = DEFAULT_NAME, ...options }: PluginOptions = {}): Call {
  const sessions = new Map<string, Session>()
  const ids = idsOf(requireName(name, 'the call of prompts()'))
  return {
    ids,
    session(surroundings) {
      const shared = (): Session => sharedSession(sessions, options, surroundings())
      return {
        label: ids.plugin,
        project: () => shared().project(),
        snapshot: () => shared().snapshot(),
        reload: () => shared().reload(),
        declare: () => shared().declare(),
        refresh: () => shared().refresh(),
        sources: () => shared().sources(),
        stale: () => shared().stale(),
      }
    },
  }
}

/** Where a build runs is known when it starts, so this is asked each time. */
function sharedSession(
  sessions: Map<string, Session>,
  options: Options,
  surroundings: Surroundings,
): Session {
  const { bundler, root, envDir, mode, published, production, byUse } = surroundings
  const key = JSON.stringify([bundler, root, envDir, mode, published, production, byUse])
  const session = sessions.get(key) ?? createSession(options, () => surroundings)
  sessions.set(key, session)
  return session
}
