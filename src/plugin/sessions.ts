import type { SessionContext } from './context.ts'
import { followDeclarations } from './declarations.ts'
import { type OpenProject, Session, type SharedSettings } from './session.ts'

/** The sessions of an instance, by what their contexts agree in. */
export interface Sessions {
  readonly shared: SharedSettings
  readonly byContext: Map<string, Session>
}

/** The session of a build. Builds that differ in nothing that its code depends on share one. */
export function sessionOf({ shared, byContext }: Sessions, context: SessionContext): Session {
  const { shape, root, envDir, mode, published, production, groups, isServer } = context
  // JSON has no Infinity.
  const agreed = [shape, root, envDir, mode, published, production, `${groups}`, isServer]
  const key = JSON.stringify(agreed)
  const session = byContext.get(key) ?? createSession(shared, context)
  byContext.set(key, session)
  return session
}

/** A session with declarations that follow it. A production build has those of the pull that wrote its lock. */
export function createSession(
  shared: SharedSettings,
  context: SessionContext,
  open?: OpenProject,
): Session {
  const session = new Session(shared, context, open)
  if (!context.production) followDeclarations(session, context)
  return session
}
