import { assertPinnable } from './assert-pinnable.ts'
import { sortBySlug } from '../../core/text/order.ts'
import type { PromptService } from '../../core/service.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import type { SkippedChange } from './skipped-change.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import {
  keptPrompts,
  knownFrom,
  otherEnvironment,
  type PreviousLock,
  readPreviousLock,
} from './previous-lock.ts'
import {
  canSkip,
  draftOf,
  type FoundPrompts,
  type PullDraft,
  type PullReport,
  skipChanges,
} from './pull-draft.ts'
import { type Progress, readWorkspace } from '../../service/read-workspace.ts'

export type { PullDraft, PullReport } from './pull-draft.ts'

/** The service and the lock of a pull. */
export interface PullPorts {
  readonly service: PromptService
  readonly lock: LockStore
}

/** The request of a pull. */
export interface PullRequest {
  /** Selects the prompts that the app pins. */
  readonly isSelected: PromptFilter
  /** Maximum number of concurrent reads. */
  readonly concurrency: number
  /** The API key, which no prompt may contain. */
  readonly key: string
  /** Slugs to update. The rest of the lock, which must exist, stays. Default: all. */
  readonly slugs?: readonly string[] | undefined
  /** Read only prompts whose list entry differs from the lock. Default: false. */
  readonly changed?: boolean | undefined
  /** Accept an empty workspace although the lock has prompts. Default: false. */
  readonly allowEmpty?: boolean | undefined
  /** Compare and report, write nothing. Default: false. */
  readonly dryRun?: boolean | undefined
  /** Gives the changes that are not taken: their prompts stay as they are pinned. Default: none. */
  readonly skip?: ((draft: PullDraft) => Promise<readonly SkippedChange[]>) | undefined
  /** Called before anything is written, and again after a decision to skip changes. */
  readonly approve?: ((draft: PullDraft) => Promise<PullDecision>) | undefined
  /** Called after the approval, just before the lock is written; not by a dry run. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Nothing is written after an abort. */
  readonly signal?: AbortSignal | undefined
}

/**
 * What to do with a draft: `true` writes the lock, `false` keeps the old one. Skipped changes leave
 * their prompts as they are pinned.
 */
export type PullDecision = boolean | { readonly skip: readonly SkippedChange[] }

/**
 * Reads the service and writes the lock, if all prompts are valid and something has changed.
 *
 * @throws PromptsError what {@link readWorkspace}, {@link readPreviousLock} and the ports throw;
 *   PULL_EMPTY, SLUG_UNKNOWN, TEXT_HOLDS_KEY, TEXT_UNPAIRED_SURROGATE, TOO_MANY_TOKENS. The lock is
 *   then unchanged.
 */
export async function pull(
  { service, lock }: PullPorts,
  request: PullRequest,
): Promise<PullReport> {
  const old = await readPreviousLock(lock, service, request.slugs)
  if (request.skip !== undefined && !canSkip(old)) throw otherEnvironment(lock, service.environment)
  const kept = keptPrompts(old)
  const workspace = await readWorkspace(service, {
    ...request,
    isSelected: (entry) =>
      request.isSelected(entry) && !kept.has(entry.slug) && (old.slugs?.has(entry.slug) ?? true),
    findPinned: knownFrom(old, service, request.changed === true),
  })
  assertKnownSlugs(request.slugs, {
    where: 'The workspace',
    found: [...old.pinned, ...workspace.prompts],
    listed: workspace.listed,
  })
  const prompts = sortBySlug([...kept.values(), ...workspace.prompts])
  assertPinnable(prompts, request.key)
  if (prompts.length === 0 && !request.allowEmpty) refuseEmpty(old, lock)
  const found = { old, workspace, environment: service.environment }
  const whole = draftOf(prompts, [], found)
  const skipped = (await request.skip?.(whole)) ?? []
  const { draft, approved } = await decide(skipChanges(whole, skipped, found), found, request)
  const { before: _, canSkip: __, ...report } = draft
  if (!approved) return { ...report, outcome: 'declined' }
  if (request.dryRun) return { ...report, outcome: 'dry-run' }
  await request.beforeWrite?.()
  return { ...report, outcome: await lock.write(draft.lock) }
}

/** Asks until the draft is accepted or declined. */
async function decide(
  draft: PullDraft,
  found: FoundPrompts,
  request: Pick<PullRequest, 'approve' | 'signal'>,
): Promise<{ readonly draft: PullDraft; readonly approved: boolean }> {
  const { approve, signal } = request
  signal?.throwIfAborted()
  const decision = (await approve?.(draft)) ?? true
  signal?.throwIfAborted()
  if (typeof decision === 'boolean') return { draft, approved: decision }
  return decide(skipChanges(draft, decision.skip, found), found, request)
}

/** Also refuses when the lock can't be read, since it may hold any number of prompts. */
function refuseEmpty(
  { prompts: { length }, error }: PreviousLock,
  { workspace }: Pick<LockStore, 'workspace'>,
): void {
  if (length === 0 && error === undefined) return
  const held = error === undefined ? `the lock has ${length}` : 'the broken lock may have some'
  throw new PromptsError('PULL_EMPTY', { held, workspace }, { cause: error })
}
