import { holdsKey, redact } from './core/api-key.ts'
import { comparePrompts, type PromptChange } from './core/compare.ts'
import { type Lint, lintPrompt } from './core/lint.ts'
import { type NameCollision, planNames } from './core/names.ts'
import { sortBySlug } from './core/order.ts'
import type { Lock, PinnedPrompt } from './core/prompt.ts'
import type { PromptService, PromptSummary } from './core/service.ts'
import { isPromptsError, PromptsError } from './errors.ts'
import type { WriteOutcome } from './io/files.ts'
import type { LockFile } from './io/lock-file.ts'
import type { PromptFilter } from './options.ts'
import { type Progress, readWorkspace, type Workspace } from './read-workspace.ts'

/** What a pull works on. */
export interface PullPorts {
  readonly service: PromptService
  readonly lock: LockFile
}

/** How to pull. */
export interface PullRequest {
  /** Which prompts the app pins. */
  readonly selects: PromptFilter
  /** Single reads in flight. */
  readonly concurrency: number
  /** The service's key: no prompt may hold it. */
  readonly key: string
  /** Update only these; the rest of the lock, which must be there, stays. Default: all. */
  readonly slugs?: readonly string[] | undefined
  /** Read only prompts whose entry in the list differs from the lock. Default: false. */
  readonly changed?: boolean | undefined
  /** Accept a workspace without prompts although the lock has some. Default: false. */
  readonly allowEmpty?: boolean | undefined
  /** Compare and report, write nothing. Default: false. */
  readonly dryRun?: boolean | undefined
  /** Asked before anything is written, with the lock as it is; `false` leaves it so. */
  readonly approve?: ((draft: PullDraft) => Promise<boolean>) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Once it is aborted, nothing is written any more. */
  readonly signal?: AbortSignal | undefined
}

/** What a pull is about to do. */
export interface PullDraft extends Pick<PullReport, 'changes'> {
  readonly before: Lock
}

/** What a pull found and did. */
export interface PullReport {
  readonly lock: Lock
  readonly outcome: WriteOutcome | 'dry-run' | 'declined'
  /** One for each prompt of the old or the new lock, by code point of the slug. */
  readonly changes: readonly PromptChange[]
  /** Why the old lock could not be read and is replaced as a whole: then all prompts are added. */
  readonly mended: PromptsError | undefined
  readonly lints: readonly Lint[]
  readonly collisions: readonly NameCollision[]
  readonly planStatus: string
  /** Single reads, which services commonly meter. */
  readonly reads: number
  readonly lists: number
}

/**
 * Reads the service and writes the lock (DESIGN section 7). Nothing is written unless all of it
 * is valid, and nothing when it is what the lock already holds.
 *
 * @throws PromptsError what {@link readWorkspace} and the ports throw; LOCK_MISSING and LOCK_UNFIT
 *   for a pull of some slugs; PULL_EMPTY, SLUG_UNKNOWN, TEXT_HOLDS_KEY, TEXT_UNPAIRED_SURROGATE.
 *   The lock is then as it was.
 */
export async function pull(
  { service, lock }: PullPorts,
  request: PullRequest,
): Promise<PullReport> {
  const old = await readOld(lock, service, request)
  const workspace = await readWorkspace(service, {
    ...request,
    wants: (entry) => request.selects(entry) && (request.slugs?.includes(entry.slug) ?? true),
    known: knownFrom(old, service, request),
  })
  const prompts = nextPrompts(old.prompts, workspace, request)
  refuseInvalid(prompts, request.key)
  if (prompts.length === 0 && !request.allowEmpty) refuseEmpty(old, lock)
  const { environment } = service
  const next = { environment, prompts }
  const changes = comparePrompts(old.prompts, prompts)
  const draft = { before: { environment, prompts: old.prompts }, changes }
  return {
    lock: next,
    outcome: await writeApproved(lock, next, { draft, ...request }),
    changes,
    mended: old.fault,
    lints: prompts.flatMap(lintPrompt),
    collisions: planNames(prompts.map(({ slug }) => slug)).collisions,
    planStatus: workspace.planStatus,
    reads: workspace.reads,
    lists: workspace.lists,
  }
}

async function writeApproved(
  lock: PullPorts['lock'],
  next: Lock,
  { draft, approve, dryRun, signal }: PullRequest & { readonly draft: PullDraft },
): Promise<PullReport['outcome']> {
  signal?.throwIfAborted()
  if ((await approve?.(draft)) === false) return 'declined'
  signal?.throwIfAborted()
  return dryRun ? 'dry-run' : lock.write(next)
}

/** The lock before the pull. */
interface OldLock {
  readonly prompts: readonly PinnedPrompt[]
  /** Whether its entries may stay as they are: it is whole and of the same environment. */
  readonly reusable: boolean
  /** Why it can't be read. */
  readonly fault?: PromptsError | undefined
}

/**
 * Reads the lock that the pull replaces. A whole pull is the way out of a merge conflict and of a
 * hand edit, so it goes on without the old entries there; a pull of some slugs can't, nor without
 * a lock.
 */
async function readOld(
  lock: PullPorts['lock'],
  { environment }: PromptService,
  { slugs }: PullRequest,
): Promise<OldLock> {
  const { path, workspace } = lock
  let fault: PromptsError | undefined
  const before = await lock.read().catch((error: unknown): undefined => {
    if (slugs !== undefined || !isMended(error)) throw error
    fault = error
  })
  if (before === undefined) {
    // A lock of some prompts would pass for the whole: builds ask for no others once there is one.
    if (slugs !== undefined) throw new PromptsError('LOCK_MISSING', { path, workspace })
    return { prompts: [], reusable: false, fault }
  }
  const reusable = before.environment === environment
  if (!reusable && slugs !== undefined) {
    const differences = [
      `it holds ${before.environment} prompts, and these would be ${environment}`,
    ]
    throw new PromptsError('LOCK_UNFIT', { path, workspace, differences })
  }
  return { prompts: before.prompts, reusable }
}

/** FAULTS 26: also over a lock that can't be read, since that may have any number. */
function refuseEmpty(
  { prompts: { length }, fault }: OldLock,
  { workspace }: Pick<LockFile, 'workspace'>,
): void {
  if (length === 0 && fault === undefined) return
  const held = fault === undefined ? `the lock has ${length}` : 'the broken lock may have some'
  throw new PromptsError('PULL_EMPTY', { held, workspace }, { cause: fault })
}

/** Whether an error of the lock is one that writing it anew mends. */
function isMended(error: unknown): error is PromptsError {
  return isPromptsError(error, 'LOCK_CONFLICTED') || isPromptsError(error, 'LOCK_EDITED')
}

/**
 * What `--changed` need not read: prompts that the lock holds as listed. In the test environment
 * a prompt with a staging version is always read, since drafts are rewritten in place.
 */
function knownFrom(
  { prompts, reusable }: OldLock,
  { environment }: PromptService,
  { changed }: PullRequest,
): (entry: PromptSummary) => PinnedPrompt | undefined {
  if (!changed || !reusable) return () => undefined
  const pinned = new Map(prompts.map((prompt) => [prompt.slug, prompt]))
  return ({ slug, stagingVersion }) =>
    environment === 'test' && stagingVersion !== null ? undefined : pinned.get(slug)
}

/** The lock's prompts after the pull: all that was read or, with slugs, the old ones with those. */
function nextPrompts(
  old: readonly PinnedPrompt[],
  { prompts, listed }: Workspace,
  { slugs }: PullRequest,
): PinnedPrompt[] {
  if (slugs === undefined) return sortBySlug(prompts)
  const found = new Set([...old, ...prompts].map(({ slug }) => slug))
  const unknown = slugs.filter((slug) => !found.has(slug))
  if (unknown.length > 0) {
    const known = [...found, ...listed]
    throw new PromptsError('SLUG_UNKNOWN', { slugs: unknown, where: 'The workspace', known })
  }
  return sortBySlug([...old.filter(({ slug }) => !slugs.includes(slug)), ...prompts])
}

/** FAULTS 34 and 43, with the problems of all prompts together. */
function refuseInvalid(prompts: readonly PinnedPrompt[], key: string): void {
  const find = (test: (text: string) => boolean): string[] =>
    prompts.flatMap((prompt) =>
      Object.entries(prompt).flatMap(([field, value]) =>
        typeof value === 'string' && test(value) ? [`${prompt.slug}: ${field}`] : [],
      ),
    )
  const unpaired = find((text) => /\p{Surrogate}/u.test(text))
  if (unpaired.length > 0) throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems: unpaired })
  const leaking = find((text) => holdsKey(text, key)).map((problem) => redact(problem, key))
  if (leaking.length > 0) throw new PromptsError('TEXT_HOLDS_KEY', { problems: leaking })
}
