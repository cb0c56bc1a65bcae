import type { Lock } from '../../core/prompt.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../project/project.ts'
import type { PullDraft } from '../pull/draft.ts'

/** Callbacks for the steps of a start. */
export interface StartListener {
  /** Called before the first request. */
  readonly onPull?: (reason: 'missing' | 'always') => void
  readonly onPulled?: (draft: PullDraft) => void
  /** Called if the service is unreachable and the lock is used instead. */
  readonly onFallback?: (error: PromptsError) => void
}

/**
 * Loads the lock of a build or dev server, following the option `pull`. With `missing` and a lock
 * it makes no request and needs no key. Updates the declarations.
 *
 * @throws PromptsError LOCK_MISSING with `never`; what pulling or reading the lock throws
 */
export async function loadLock(project: Project, listener: StartListener): Promise<Lock> {
  const { pull: policy } = project.options
  if (policy === 'always') return pullOrFallBack(project, listener)
  if (policy === 'missing' && (await project.lock.readHash()) === undefined) {
    await pullMissing(project, listener)
  }
  return readLockAndDeclare(project)
}

/** The pulls of missing locks that run in this process, by the path of the lock. */
const running = new Map<string, Promise<unknown>>()

/** Builds that start together, such as those of client and server, share one pull. */
async function pullMissing(project: Project, listener: StartListener): Promise<void> {
  const { path } = project.lock
  let pulled = running.get(path)
  if (pulled === undefined) {
    listener.onPull?.('missing')
    pulled = pull(project, listener).finally(() => running.delete(path))
    running.set(path, pulled)
  }
  await pulled.catch(assertLockIsNew)
}

async function pull(project: Project, listener: StartListener): Promise<Lock> {
  const draft = await project.prepare()
  await project.commit(draft)
  listener.onPulled?.(draft)
  return draft.lock
}

/** When several processes start together, the first one writes the lock and the others use it. */
function assertLockIsNew(error: unknown): void {
  if (!isPromptsError(error, 'LOCK_CHANGED')) throw error
}

/** Who loses to another pull reads again. */
const MAX_PULLS = 5

async function pullCurrent(project: Project, listener: StartListener, count = 1): Promise<Lock> {
  try {
    return await pull(project, listener)
  } catch (error) {
    if (!isPromptsError(error, 'LOCK_CHANGED') || count === MAX_PULLS) throw error
    return pullCurrent(project, listener, count + 1)
  }
}

async function readLockAndDeclare(project: Project): Promise<Lock> {
  const lock = await project.readLock()
  await project.writeDeclarations(lock)
  return lock
}

/** Errors of an unreachable service, not caused by the key or the options. */
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
    return await pullCurrent(project, listener)
  } catch (error) {
    const usable = project.options.fallback && (await project.lock.readHash()) !== undefined
    if (!usable || !(error instanceof PromptsError) || !UNREACHABLE.has(error.code)) throw error
    const lock = await readLockAndDeclare(project)
    listener.onFallback?.(error)
    return lock
  }
}
