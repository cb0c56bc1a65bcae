import type { ViteDevServer } from 'vite'
import { mayBreak } from '../../core/classify-change.ts'
import { codeFrame } from '../../core/code-frame.ts'
import { describeImpact } from '../../core/describe-change.ts'
import { IMPACT_TEXTS, type ImpactFinding } from '../../core/impact.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { sanitizeMessage } from '../../core/text/sanitize.ts'
import { errorMessage } from '../../errors/error-code.ts'
import type { Project } from '../../features/project/project.ts'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import { runInThread } from '../../features/background/in-thread.ts'
import type { PullDraft } from '../../features/pull/draft.ts'
import type { Session } from '../session.ts'

/**
 * Adds the shortcut `p + enter`, which pulls. Watching the lock does the rest. If an update breaks
 * the app's code, the first press shows the breaks and the second one writes what was shown.
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

type Report = (level: 'info' | 'warn' | 'error', message: string) => void

function sessionPull(
  { config: { logger } }: ViteDevServer,
  session: Session,
  signal: AbortSignal,
): () => Promise<void> {
  /** The draft whose breaks were printed last. */
  let pending: PullDraft | undefined
  const report: Report = (level, message) =>
    logger[level](sanitizeMessage(`[${session.label}] ${message}`), { timestamp: true })
  return async () => {
    try {
      const project = await session.project()
      const confirmed = pending
      pending = undefined
      const draft = confirmed ?? (await project.prepare({ signal }))
      const breaks = confirmed ? [] : await findBreaks(draft, project, { report, signal })
      if (breaks.length > 0) {
        pending = draft
        return report('warn', describeBreaks(breaks))
      }
      await project.commit(draft, { signal })
      const { changes, reads } = draft
      report('info', `Pulled: ${changes.length} changed (${pluralize(reads, 'read')}).`)
    } catch (error) {
      if (!signal.aborted) report('error', errorMessage(error))
    }
  }
}

async function findBreaks(
  draft: PullDraft,
  { locate }: Project,
  { report, signal }: { readonly report: Report; readonly signal: AbortSignal },
): Promise<readonly ImpactFinding[]> {
  if (!mayBreak(draft)) return []
  report('info', IMPACT_TEXTS.started)
  const { before, lock } = draft
  const app = { ...(await locate()), before, after: lock }
  const impact = await runInThread('findImpact', [app], signal).catch(
    (error: unknown): ImpactReport | undefined => {
      signal.throwIfAborted()
      const [reason = ''] = errorMessage(error).split('\n')
      report('warn', IMPACT_TEXTS.failed(reason))
      return undefined
    },
  )
  if (impact?.files === 0 && impact.findings.length === 0) report('warn', IMPACT_TEXTS.unused)
  return impact?.findings ?? []
}

/** More places are only counted. */
const PLACES_SHOWN = 10

function describeBreaks(findings: readonly ImpactFinding[]): string {
  const places = findings.map((finding) => {
    const { file, line, column, slug, reason } = finding
    const place = [`${file}:${line}:${column}`, ...(slug === null ? [] : [slug]), reason]
    return [place.join('  '), ...codeFrame(finding)].join('\n    ')
  })
  return [
    `Not pulled: ${describeImpact(findings)}:`,
    ...truncateList(places, PLACES_SHOWN),
    'Press p + enter again to pull it anyway.',
  ].join('\n  ')
}
