import type { Lock } from '../../core/prompt.ts'
import type { PromptService } from '../../core/service.ts'
import type { ResolvedOptions } from '../../config/resolved-options.ts'
import { withFileLock } from '../../fs/file-lock.ts'
import { resolveWritable } from '../../fs/files.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import type { PromptServiceOptions } from '../../service/client-options.ts'
import { type FileEdit, writeEdits } from '../../fs/edit-files.ts'
import { createRollback, type Rollback } from '../../fs/rollback.ts'
import { assertOwnFiles, generatedPaths } from '../generate/generated-files.ts'
import type { PullReport, PullRequest } from '../pull/pull.ts'
import { requireKey, type ServiceCallOptions, withService } from './connect.ts'

/** What a caller can set for a pull; the rest comes from the options. */
export type PullOptions = Partial<Omit<PullRequest, 'beforeWrite'>> &
  ServiceCallOptions & {
    /**
     * Gives edits of the app's files that belong to the new lock; called after the approval. If a
     * write fails, these files, the lock and the generated files are restored. Default: none.
     */
    readonly edits?: (() => readonly FileEdit[]) | undefined
    /** Milliseconds to wait for a pull of another process. @default 300000 */
    readonly waitTimeout?: number
  }

/** The report of a pull with the generated files. */
export interface ProjectPullReport extends PullReport {
  /** The absolute paths of what has changed: the declarations, the folder `outDir`. */
  readonly generated: readonly string[]
}

/** What a pull of a project needs. */
export interface PullTarget extends Pick<PromptServiceOptions, 'onWarning'> {
  readonly options: ResolvedOptions
  readonly lock: LockStore
  /** Updates the generated files after the lock. */
  readonly writeGenerated: (lock: Lock) => Promise<readonly string[]>
}

/**
 * Pulls and updates the generated files, while no other process does.
 *
 * @throws PromptsError what {@link pull} throws, FILE_FOREIGN, KEY_MISSING, BASE_URL_MISSING
 */
export async function pullNow(
  target: PullTarget,
  request: PullOptions,
): Promise<ProjectPullReport> {
  const { options, lock, writeGenerated, onWarning } = target
  const { isSelected, concurrency } = options
  const pullFrom = async (service: PromptService): Promise<ProjectPullReport> => {
    const { pull } = await import('../pull/pull.ts')
    const key = requireKey(options).value
    const rollback = createRollback(options.root)
    const beforeWrite = (): Promise<void> => writeWithRollback(target, request.edits?.(), rollback)
    try {
      const asked = { isSelected, concurrency, key, ...request, beforeWrite }
      const report = await pull({ service, lock }, asked)
      const isCurrent = report.outcome === 'written' || report.outcome === 'unchanged'
      return { ...report, generated: isCurrent ? await writeGenerated(report.lock) : [] }
    } catch (error) {
      await rollback.restore()
      throw error
    }
  }
  return withService(options, pullFrom, { ...request, onWarning })
}

/** Writes edited files, and remembers everything that a pull writes; nothing without edits. */
async function writeWithRollback(
  { options, lock }: PullTarget,
  edits: readonly FileEdit[] = [],
  rollback: Rollback,
): Promise<void> {
  if (edits.length === 0) return
  await rollback.keep([lock.path, ...generatedPaths(options), ...edits.map(({ path }) => path)])
  await writeEdits(edits, options.root)
}

/** Works on the lock while no other process does. A dry run writes nothing, so it does not wait. */
export async function withPullLock<Result>(
  { options }: PullTarget,
  { dryRun, signal, waitTimeout }: PullOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (dryRun) return work()
  // Resolves links first, so the lockfile is next to the real file. Fails before any metered read.
  const path = await resolveWritable(options.lock, options.root)
  await assertOwnFiles(options)
  return withFileLock({ path, waitTimeout, signal }, work)
}
