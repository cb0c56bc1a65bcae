import { isSamePrompt } from '../core/compare.ts'
import { listedPrompt } from '../core/drift.ts'
import type { PinnedPrompt } from '../core/prompt.ts'
import type { PromptService, PromptSummary } from '../core/service.ts'
import { isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import type { CallOptions } from './client.ts'

/** Options of {@link readWorkspace}. */
export interface SnapshotRequest extends Pick<CallOptions, 'onProgress'> {
  /** Throws for a list that must not be read. Called before the first single read. */
  readonly checkList?: (entries: readonly PromptSummary[]) => void
  /** Whether to read a listed prompt. */
  readonly isSelected: (entry: PromptSummary) => boolean
  /** Returns the pinned prompt to use instead of a read if it matches the entry. */
  readonly findPinned: (entry: PromptSummary) => PinnedPrompt | undefined
  /** Maximum number of concurrent reads. */
  readonly concurrency: number
}

/** The selected prompts at one moment, and the number of requests. */
export interface WorkspaceSnapshot {
  readonly prompts: readonly PinnedPrompt[]
  /** All that is listed, selected or not. */
  readonly listed: readonly PromptSummary[]
  /** As returned by the service. */
  readonly planStatus: string
  /** Reads of single prompts, which services commonly count. */
  readonly reads: number
  readonly lists: number
}

/** How often a workspace that keeps changing is read before the pull fails. */
const MAX_ROUNDS = 3

/**
 * Reads a consistent snapshot of a workspace: lists, reads, lists again, and reads again what changed
 * in between, until the last list matches everything that was read.
 *
 * @throws PromptsError PULL_UNSETTLED after three rounds, PROMPT_NOT_FOUND for a prompt that is
 *   listed but does not exist, ANSWER_INVALID with the problems of all prompts; errors of the service
 */
export async function readWorkspace(
  service: PromptService,
  request: SnapshotRequest,
): Promise<WorkspaceSnapshot> {
  const read = new Map<string, PinnedPrompt>()
  const total = { reads: 0, lists: 1 }
  let { prompts, planStatus } = await service.list()
  request.checkList?.(prompts)
  let changing: PromptSummary[] = []
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const stale = staleEntries(prompts.filter(request.isSelected), read, service, request)
    const missing = await fetchEntries(stale, read, service, request)
    ;({ prompts, planStatus } = await service.list())
    total.reads += stale.length
    total.lists++
    assertNotListed(missing, prompts)
    const selected = prompts.filter(request.isSelected)
    changing = selected.filter((entry) => !matchesList(read.get(entry.slug), entry, service))
    if (changing.length === 0) {
      const current = selected.flatMap(({ slug }) => read.get(slug) ?? [])
      return { prompts: current, listed: prompts, planStatus, ...total }
    }
  }
  const slugs = changing.map(({ slug }) => slug)
  throw new PromptsError('PULL_UNSETTLED', { slugs, rounds: MAX_ROUNDS })
}

/** Returns the entries to read: those that neither an earlier round nor the lock has as listed. */
function staleEntries(
  selected: readonly PromptSummary[],
  read: Map<string, PinnedPrompt>,
  service: PromptService,
  { findPinned }: SnapshotRequest,
): PromptSummary[] {
  return selected.filter((entry) => {
    const current = read.get(entry.slug) ?? findPinned(entry)
    if (current === undefined || !matchesList(current, entry, service)) return true
    read.set(entry.slug, current)
    return false
  })
}

function matchesList(
  prompt: PinnedPrompt | undefined,
  entry: PromptSummary,
  { environment }: PromptService,
): boolean {
  return prompt !== undefined && isSamePrompt(prompt, listedPrompt(entry, environment, prompt))
}

/** Reads entries into `read`. Returns the slugs that do not exist (404). */
async function fetchEntries(
  entries: readonly PromptSummary[],
  read: Map<string, PinnedPrompt>,
  service: PromptService,
  { concurrency, onProgress }: SnapshotRequest,
): Promise<Set<string>> {
  const missing = new Set<string>()
  const problems: string[] = []
  let done = 0
  await mapConcurrent(entries, concurrency, async ({ slug }) => {
    try {
      const prompt = await service.get(slug)
      if (prompt === undefined) missing.add(slug)
      else read.set(slug, prompt)
    } catch (error) {
      // Collected, so that the problems of all prompts are reported together.
      if (!isPromptsError(error, 'ANSWER_INVALID')) throw error
      problems.push(...error.details.problems)
    }
    onProgress?.({ kind: 'read', done: ++done, total: entries.length })
  })
  if (problems.length > 0) throw new PromptsError('ANSWER_INVALID', { problems })
  return missing
}

/** A prompt that is no longer listed was removed. One that is still listed is an error of the service. */
function assertNotListed(missing: ReadonlySet<string>, prompts: readonly PromptSummary[]): void {
  const slugs = prompts.map(({ slug }) => slug).filter((slug) => missing.has(slug))
  if (slugs.length > 0) throw new PromptsError('PROMPT_NOT_FOUND', { slugs })
}

/**
 * Runs `task` for every item, at most `limit` at a time, and returns the results in the order
 * of the items. After the first rejection no further task starts. Own code, because p-limit starts the
 * remaining tasks even then, and reads are metered.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = entriesOf(items)
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}

/** A generator, because it can be closed: a loop that rejects ends it for all loops. */
function* entriesOf<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries()
}
