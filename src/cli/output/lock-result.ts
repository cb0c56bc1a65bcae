import type { PullReport } from '../../features/pull/pull.ts'
import { displayPath, type ProjectContext } from '../project-command.ts'

/** Prints whether a command that edits the lock has written it. */
export function printLockResult(outcome: PullReport['outcome'], context: ProjectContext): void {
  const { messages } = context.terminal
  const path = displayPath(context.project.lock.path, context)
  const message = outcome === 'written' ? `Wrote ${path}.` : `${path} is unchanged.`
  messages.line('', messages.mark(outcome === 'declined' ? 'error' : 'ok', message))
}
