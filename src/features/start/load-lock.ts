import type { Lock } from '../../core/prompt.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../project/project.ts'
import type { PullReport } from '../pull/pull.ts'
import type { Progress } from '../../service/read-workspace.ts'

/** Whom to tell what a start does. */
export interface StartListener {
  /** Before the first request, with the reason. */
  readonly onPull?: (reason: 'missing' | 'always') => void
  readonly onProgress?: (progress: Progress) => void
  readonly onPulled?: (report: PullReport) => void
  /** The service can't be reached and the lock is used instead. */
  readonly onFallback?: (error: PromptsError) => void
}

/**
 * The lock that a build or dev server starts from, by the pull policy. With a
 * lock and `missing` it makes no request and needs no key. Declarations are brought up to date.
 *
 * @throws PromptsError LOCK_MISSING under `never`; what pulling or reading the lock throws
 */
export async function loadLock(project: Project, listener: StartListener): Promise<Lock> {
  const { pull: policy } = project.options
  if (policy === 'always') return pullOrFallBack(project, listener)
  if (policy === 'missing' && (await project.lock.readHash()) === undefined) {
    listener.onPull?.('missing')
    const report = await project.pullIfMissing({ onProgress: listener.onProgress })
    if (report !== undefined) listener.onPulled?.(report)
  }
  return readLockAndDeclare(project)
}

async function readLockAndDeclare(project: Project): Promise<Lock> {
  const lock = await project.readLock()
  await project.writeDeclarations(lock)
  return lock
}

/** What says that the service can't be reached now: neither the key nor the options are at fault. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SERVICE_UNREACHABLE',
  'SERVICE_TIMEOUT',
  'SERVICE_FAILED',
  'RATE_LIMITED',
  'ANSWER_INCOMPLETE',
])

async function pullOrFallBack(project: Project, listener: StartListener): Promise<Lock> {
  try {
    listener.onPull?.('always')
    const report = await project.pull({ onProgress: listener.onProgress })
    listener.onPulled?.(report)
    return report.lock
  } catch (error) {
    const usable = project.options.fallback && (await project.lock.readHash()) !== undefined
    if (!usable || !(error instanceof PromptsError) || !UNREACHABLE.has(error.code)) throw error
    const lock = await readLockAndDeclare(project)
    listener.onFallback?.(error)
    return lock
  }
}
