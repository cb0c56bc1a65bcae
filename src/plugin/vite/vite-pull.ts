import type { ViteDevServer } from 'vite'
import { contractChanges } from '../../core/classify-change.ts'
import { isSameLock, isChanged } from '../../core/compare.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import type { Lock } from '../../core/prompt.ts'
import { sanitizeMessage } from '../../core/text/sanitize.ts'
import { errorMessage } from '../../errors/error-code.ts'
import type { ImpactFinding, ImpactReport } from '../../features/usage/impact.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import type { PullDraft } from '../../features/pull/pull.ts'
import type { Session } from '../session.ts'

/**
 * Adds the shortcut `p + enter`, which pulls. Watching the lock does the rest. If an update breaks
 * the app's code, the first press shows the breaks and the second one pulls.
 *
 * @param sessions - of all workspaces, since a server has one action per key
 * @param signal - ends the pull
 */
export function bindPull(
  server: ViteDevServer,
  sessions: readonly Session[],
  signal: AbortSignal,
): void {
  const pulls = sessions.map((session) => sessionPull(server, session, signal))
  let running: Promise<unknown> | undefined
  const action = async (): Promise<void> => {
    // A press during a pull doesn't confirm what that pull is going to show.
    await (running ??= Promise.all(pulls.map((pull) => pull())).finally(() => {
      running = undefined
    }))
  }
  server.bindCLIShortcuts({ customShortcuts: [{ key: 'p', description: 'pull prompts', action }] })
}

function sessionPull(
  { config: { logger } }: ViteDevServer,
  session: Session,
  signal: AbortSignal,
): () => Promise<void> {
  /** The update whose breaks were shown last. */
  let shown: Lock | undefined
  const report = (level: 'info' | 'warn' | 'error', message: string): void =>
    logger[level](sanitizeMessage(`[${session.label}] ${message}`), { timestamp: true })

  const approve = async (draft: PullDraft): Promise<boolean> => {
    const confirmed = shown !== undefined && isSameLock(shown, draft.lock)
    shown = undefined
    if (confirmed || contractChanges(draft.changes).length === 0) return true
    report('info', 'Checking what the update breaks…')
    const impact = await impactOf(draft, session, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      report('warn', `The app was not checked for breaking changes: ${reasonOf(error)}`)
    })
    if (impact?.files === 0) report('warn', 'No code uses prompts.')
    if (impact === undefined || impact.findings.length === 0) return true
    shown = draft.lock
    report('warn', describeBreaks(impact.findings))
    return false
  }

  return async () => {
    try {
      const project = await session.project()
      const { outcome, changes, reads } = await project.pull({ approve, signal })
      if (outcome === 'declined') return
      const changed = changes.filter(isChanged).length
      report('info', `Pulled: ${changed} changed (${pluralize(reads, 'read')}).`)
    } catch (error) {
      if (!signal.aborted) report('error', errorMessage(error))
    }
  }
}

async function impactOf(
  { before, lock }: PullDraft,
  session: Session,
  signal: AbortSignal,
): Promise<ImpactReport> {
  const { root, name, dts } = (await session.project()).options
  return runInThread('findImpact', [{ root, name, dts, before, after: lock }], signal)
}

function reasonOf(error: unknown): string {
  const [reason = ''] = errorMessage(error).split('\n')
  return reason
}

/** More places are only counted. */
const PLACES_SHOWN = 10

/** Longer reasons are truncated, since they may contain very long names. */
const REASON_LENGTH = 300

function describeBreaks(findings: readonly ImpactFinding[]): string {
  const places = findings.map(({ file, line, column, slug, reason }) =>
    [`${file}:${line}:${column}`, slug ?? '', reason.slice(0, REASON_LENGTH)]
      .filter((part) => part !== '')
      .join('  '),
  )
  return [
    `Not pulled: the update breaks ${pluralize(findings.length, 'place')} in the app.`,
    ...truncateList(places, PLACES_SHOWN),
    'Press p + enter again to pull it anyway.',
  ].join('\n  ')
}
