import { assertPinnable } from './assert-pinnable.ts'
import { applyChanges } from '../../core/apply-changes.ts'
import { comparePrompts, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import { lintChanges, type PromptLints } from '../../core/lint.ts'
import { type NameCollision, planNames } from '../../core/names.ts'
import { sortBySlug } from '../../core/text/order.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import type { PromptService, PromptSummary } from '../../core/service.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { WriteResult } from '../../fs/files.ts'
import type { LockStore } from '../../fs/lock-store.ts'
import type { SkippedChange } from './skipped-change.ts'
import type { PromptFilter } from '../../config/prompt-filter.ts'
import { otherEnvironment, type PreviousLock, readPreviousLock } from './previous-lock.ts'
import {
  type Progress,
  readWorkspace,
  type WorkspaceSnapshot,
} from '../../service/read-workspace.ts'

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
  /** Called before anything is written. `false` keeps the old lock. */
  readonly approve?: ((draft: PullDraft) => Promise<boolean>) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Nothing is written after an abort. */
  readonly signal?: AbortSignal | undefined
}

/** The report of a pull before the lock is written. */
export interface PullDraft extends Omit<PullReport, 'outcome'> {
  readonly before: Lock
}

/** The report of a pull. */
export interface PullReport {
  readonly lock: Lock
  readonly outcome: WriteResult | 'dry-run' | 'declined'
  /** One per prompt of the old or the new lock, sorted by code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** By code point of the slug; their prompts are unchanged in `changes`. */
  readonly skipped: readonly SkippedChange[]
  /** The held prompts of the new lock, which were not read, and what they wait for. */
  readonly held: readonly HeldPrompt[]
  /** Why the old lock was invalid. */
  readonly previousLockError: PromptsError | undefined
  /** The slugs that both sides of a merge conflict changed. These were read from the service. */
  readonly merged: readonly string[] | undefined
  /** Lints of prompts with new or changed text. */
  readonly lints: readonly PromptLints[]
  readonly collisions: readonly NameCollision[]
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
  readonly lists: number
}

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
  if (request.skip !== undefined && old.prompts.length > 0 && !old.reusable)
    throw otherEnvironment(lock, service.environment)
  const kept = keptPrompts(old)
  const workspace = await readWorkspace(service, {
    ...request,
    isSelected: (entry) =>
      request.isSelected(entry) && !kept.has(entry.slug) && (old.slugs?.has(entry.slug) ?? true),
    findPinned: knownFrom(old, service, request),
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
  const draft =
    skipped.length === 0 ? whole : draftOf(withoutSkipped(whole, skipped), skipped, found)
  const { before: _, ...report } = draft
  return { ...report, outcome: await writeApproved(lock, draft, request) }
}

/** What a pull has read. */
interface FoundPrompts {
  readonly old: PreviousLock
  readonly workspace: WorkspaceSnapshot
  readonly environment: Lock['environment']
}

function draftOf(
  prompts: readonly PinnedPrompt[],
  skipped: readonly SkippedChange[],
  { old, workspace, environment }: FoundPrompts,
): PullDraft {
  const lock = { environment, prompts }
  const changes = comparePrompts(old.prompts, prompts)
  return {
    before: { environment, prompts: old.prompts },
    lock,
    changes,
    skipped,
    held: heldPrompts(lock, { entries: workspace.listed, environment }),
    previousLockError: old.error,
    merged: old.isMerged ? [...(old.slugs ?? [])] : undefined,
    lints: lintChanges(changes),
    collisions: planNames(prompts.map(({ slug }) => slug)).collisions,
    planStatus: workspace.planStatus,
    reads: workspace.reads,
    lists: workspace.lists,
  }
}

/** The prompts of a draft, with the old ones where a change is skipped. */
function withoutSkipped(
  { before, changes }: PullDraft,
  skipped: readonly SkippedChange[],
): PinnedPrompt[] {
  const slugs = new Set(skipped.map(({ change }) => change.slug))
  return applyChanges(
    before.prompts,
    changes.filter(({ slug }) => !slugs.has(slug)),
  )
}

async function writeApproved(
  lock: PullPorts['lock'],
  draft: PullDraft,
  { approve, dryRun, signal }: PullRequest,
): Promise<PullReport['outcome']> {
  signal?.throwIfAborted()
  if ((await approve?.(draft)) === false) return 'declined'
  signal?.throwIfAborted()
  return dryRun ? 'dry-run' : lock.write(draft.lock)
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

/**
 * The prompts that `--changed` doesn't read: those whose list entry matches the lock. In the test
 * environment prompts with a staging version are always read, since drafts change without a new
 * label.
 */
function knownFrom(
  old: PreviousLock,
  { environment }: PromptService,
  { changed }: PullRequest,
): (entry: PromptSummary) => PinnedPrompt | undefined {
  if (!changed || !old.reusable) return () => undefined
  const pinned = new Map(old.pinned.map((prompt) => [prompt.slug, prompt]))
  return ({ slug, stagingVersion }) =>
    environment === 'test' && stagingVersion !== null ? undefined : pinned.get(slug)
}

/** The prompts that are kept without a read: held ones, and those that were not requested. */
function keptPrompts({ pinned, slugs }: PreviousLock): Map<string, PinnedPrompt> {
  const kept = pinned.filter(
    ({ slug, held }) => held !== undefined || (slugs !== undefined && !slugs.has(slug)),
  )
  return new Map(kept.map((prompt) => [prompt.slug, prompt]))
}
