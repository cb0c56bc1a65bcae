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
  /** Returns the pinned prompt to use instead of a read if it matches the entry. Default: none. */
  readonly findPinned?: ((entry: PromptSummary) => PinnedPrompt | undefined) | undefined
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
  const { isSelected, findPinned } = request
  const current = new Map<string, PinnedPrompt>()
  let reads = 0
  let list = await service.list()
  request.checkList?.(list.prompts)
  for (const entry of list.prompts) {
    const pinned = findPinned?.(entry)
    if (pinned !== undefined) current.set(entry.slug, pinned)
  }
  for (let lists = 1; ; lists++) {
    const selected = list.prompts.filter(isSelected)
    const stale = selected.filter((entry) => {
      const prompt = current.get(entry.slug)
      return !isSamePrompt(listedPrompt(entry, service.environment, prompt), prompt)
    })
    const slugs = stale.map(({ slug }) => slug)
    if (lists > 1 && stale.length === 0) {
      const prompts = selected.flatMap(({ slug }) => current.get(slug) ?? [])
      return { prompts, listed: list.prompts, planStatus: list.planStatus, reads, lists }
    }
    if (lists > MAX_ROUNDS) throw new PromptsError('PULL_UNSETTLED', { slugs, rounds: MAX_ROUNDS })
    const missing = await readPrompts(slugs, current, service, request)
    reads += slugs.length
    list = await service.list()
    // A prompt that is no longer listed was removed. One that is still listed is an error of the service.
    const lost = list.prompts.map(({ slug }) => slug).filter((slug) => missing.has(slug))
    if (lost.length > 0) throw new PromptsError('PROMPT_NOT_FOUND', { slugs: lost })
  }
}

/** Reads prompts into `current`. Returns the slugs that do not exist (404). */
async function readPrompts(
  slugs: readonly string[],
  current: Map<string, PinnedPrompt>,
  service: PromptService,
  { concurrency, onProgress }: SnapshotRequest,
): Promise<Set<string>> {
  const missing = new Set<string>()
  const problems: string[] = []
  let done = 0
  await mapConcurrent(slugs, concurrency, async (slug) => {
    try {
      const prompt = await service.get(slug)
      if (prompt === undefined) missing.add(slug)
      else current.set(slug, prompt)
    } catch (error) {
      // Collected, so that the problems of all prompts are reported together.
      if (!isPromptsError(error, 'ANSWER_INVALID')) throw error
      problems.push(...error.details.problems)
    }
    onProgress?.({ kind: 'read', done: ++done, total: slugs.length })
  })
  if (problems.length > 0) throw new PromptsError('ANSWER_INVALID', { problems })
  return missing
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
