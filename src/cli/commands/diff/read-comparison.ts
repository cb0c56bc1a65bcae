import type { Lock } from '../../../core/prompt.ts'
import {
  diffLocks,
  diffWorkspace,
  type DiffReport,
  type ServiceDiffReport,
} from '../../../features/diff/diff.ts'
import type { Project } from '../../../features/project/project.ts'
import {
  type LockStore,
  createLockStore,
  readLockAt,
  readRequiredLock,
} from '../../../fs/lock-store.ts'
import { serviceLabel } from '../../command-project.ts'
import { startProgress } from '../../output/progress.ts'
import type { CommandContext } from '../../args/command.ts'
import type { DiffJson } from './json-diff.ts'

/** What is compared. */
interface DiffCall extends CommandContext {
  /** Slugs; all prompts if there are none. */
  readonly positionals: readonly string[]
  readonly values: { readonly base: string | undefined; readonly environment: string | undefined }
}

/** Two snapshots and how they differ. */
export interface Comparison {
  /** The lock that is compared. */
  readonly lock: LockStore
  readonly before: Lock
  readonly report: DiffReport
  readonly environment: DiffJson['environment']
}

/**
 * Compares the lock with the service or, with `--base`, with the lock of a git revision.
 *
 * @throws PromptsError LOCK_MISSING, REVISION_UNREADABLE, SLUG_UNKNOWN; what reading the lock and
 *   the service throw
 */
export async function readComparison(project: Project, invocation: DiffCall): Promise<Comparison> {
  const { base } = invocation.values
  const lock = lockToCompare(project, invocation)
  const pinned = await readRequiredLock(lock)
  if (base === undefined) {
    const report = await readDiff(project, pinned, invocation)
    const environment = { before: pinned.environment, after: project.options.environment }
    return { lock, before: pinned, report, environment }
  }
  const before = (await readLockAt(lock, base)) ?? { ...pinned, prompts: [] }
  const environment = { before: before.environment, after: pinned.environment }
  return { lock, before, report: diffLocks(before, pinned, slugsOf(invocation)), environment }
}

function slugsOf({ positionals }: DiffCall): readonly string[] | undefined {
  return positionals.length === 0 ? undefined : positionals
}

/** The project's lock; the live one if the live lock is compared with staging. */
function lockToCompare(
  { lock, options: { root, name, liveLock } }: Project,
  { values }: DiffCall,
): LockStore {
  const comparesStaging = values.environment === 'test' && values.base === undefined
  if (!comparesStaging || liveLock === undefined) return lock
  return createLockStore(liveLock, root, name)
}

async function readDiff(
  project: Project,
  before: Lock,
  invocation: DiffCall,
): Promise<ServiceDiffReport> {
  const { terminal, signal } = invocation
  const progress = startProgress(terminal, `Reading ${serviceLabel(project)}`)
  const { onProgress, onRetry, stop } = progress
  const { isSelected, concurrency } = project.options
  const request = { before, isSelected, concurrency, slugs: slugsOf(invocation), onProgress }
  return project
    .withService((service) => diffWorkspace(service, request), { signal, onRetry })
    .finally(stop)
}
