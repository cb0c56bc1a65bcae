import { describePart, partKey, type PinnedPrompt } from '../core/prompt.ts'
import {
  isReadable,
  type ListedPart,
  listedParts,
  type PromptService,
  type PromptSummary,
  type Readable,
  type Refusal,
  type RefusedPart,
  type Remarks,
} from '../core/service.ts'
import { indexBySlug } from '../core/text/order.ts'
import { isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import type { CallOptions } from './sender.ts'

interface SnapshotRequest extends Pick<CallOptions, 'onProgress'> {
  /** Throws for a list that must not be read. Called before the first single read. */
  readonly checkList?: (entries: readonly PromptSummary[]) => void
  /** Whether to read a part that is listed and can be read. */
  readonly isSelected: (part: ListedPart) => boolean
  /** Returns the pinned part to use instead of a read if it has the listed label. Default: none. */
  readonly findPinned?: ((part: ListedPart) => PinnedPrompt | undefined) | undefined
  readonly concurrency: number
}

/** The selected parts at one moment, and the number of requests. */
interface WorkspaceSnapshot {
  readonly parts: readonly PinnedPrompt[]
  /** The selected parts that do not fit. */
  readonly refused: readonly RefusedPart[]
  /** All that is listed, selected or not. */
  readonly listed: readonly PromptSummary[]
  readonly readable: Readable
  /** By the key of a part. */
  readonly remarks: ReadonlyMap<string, Remarks>
  /** As returned by the service. */
  readonly planStatus: string
  /** Reads of single prompts, which services commonly count. */
  readonly reads: number
  readonly lists: number
}

/** How often a workspace that keeps changing is read before the pull fails. */
const MAX_ROUNDS = 3

/**
 * Reads a consistent snapshot of a workspace: lists, reads, lists again, and reads again what changed in
 * between, until the last list matches everything that was read. Problems of answers are reported for
 * all prompts together.
 */
export async function readWorkspace(
  service: PromptService,
  request: SnapshotRequest,
): Promise<WorkspaceSnapshot> {
  const { isSelected, findPinned } = request
  const { readable } = service
  const current: ReadParts = new Map()
  let reads = 0
  let list = await service.list()
  request.checkList?.(list.prompts)
  for (const part of list.prompts.flatMap(listedParts)) {
    const pinned = findPinned?.(part)
    if (isAsListed(pinned, part)) current.set(partKey(part), pinned)
  }
  for (let lists = 1; ; lists++) {
    const wanted = list.prompts.flatMap((entry) =>
      listedParts(entry).filter((part) => isReadable(entry, part, readable) && isSelected(part)),
    )
    const staged = indexBySlug(list.prompts.filter(({ stagingVersion }) => stagingVersion !== null))
    const stale = wanted.filter(
      (part) => !isAsListed(current.get(partKey(part)), part, staged.has(part.slug)),
    )
    if (lists > 1 && stale.length === 0) {
      const all = wanted.flatMap((part) => current.get(partKey(part)) ?? [])
      const parts = all.flatMap((part) => ('refused' in part ? [] : part))
      const refused = all.flatMap((part) => ('refused' in part ? part : []))
      const { prompts: listed, planStatus } = list
      const { remarks = new Map() } = service
      return { parts, refused, listed, readable, remarks, planStatus, reads, lists }
    }
    const slugs = stale.map((part) => describePart(part))
    if (lists > MAX_ROUNDS) throw new PromptsError('PULL_UNSETTLED', { slugs, rounds: MAX_ROUNDS })
    const missing = await readParts(stale, current, service, request)
    reads += stale.length
    list = await service.list()
    // A prompt that is no longer listed was removed. One that is still listed is an error of the service.
    const lost = list.prompts.flatMap(listedParts).filter((part) => missing.has(partKey(part)))
    if (lost.length > 0)
      throw new PromptsError('PROMPT_NOT_FOUND', { slugs: lost.map((part) => describePart(part)) })
  }
}

/** By the key of a part. */
type ReadParts = Map<string, PinnedPrompt | (ListedPart & Refusal) | undefined>

/**
 * A list has one folder and model for both versions. Other ones than those of the live version, which it should have,
 * are read; while another version is staged, they may be those of that one, and what was read counts.
 */
function isAsListed(
  prompt: ListedPart | undefined,
  part: ListedPart,
  isStaged = part.environment === 'test',
): boolean {
  if (prompt?.version !== part.version) return false
  const { folder, model = prompt.model } = part
  return isStaged || (prompt.folder === folder && prompt.model === model)
}

/** Reads parts into `current`. Returns the keys of those that do not exist (404). */
async function readParts(
  parts: readonly ListedPart[],
  current: ReadParts,
  service: PromptService,
  { concurrency, onProgress }: SnapshotRequest,
): Promise<Set<string>> {
  const missing = new Set<string>()
  const failures = new Map<ListedPart, CollectedError>()
  let done = 0
  await forEachConcurrent(parts, concurrency, async (part) => {
    try {
      const prompt = await service.get(part)
      if (prompt === undefined) missing.add(partKey(part))
      else current.set(partKey(part), 'refused' in prompt ? { ...part, ...prompt } : prompt)
    } catch (error) {
      // Collected, so that the problems of all prompts are reported together.
      if (!isCollected(error)) throw error
      failures.set(part, error)
    }
    onProgress?.({ kind: 'read', done: ++done, total: parts.length })
  })
  // In the order of the list, not in that of the answers.
  const errors = parts.flatMap((part) => failures.get(part) ?? [])
  const [first] = errors
  if (first === undefined) return missing
  const problems = errors.flatMap(({ details }) => details.problems)
  throw new PromptsError(first.code, { ...first.details, problems })
}

/** Errors about one prompt, which do not stop the reads of the others. */
type CollectedError = PromptsError<'ANSWER_INVALID'> | PromptsError<'SERVICE_ADAPTER_FAILED'>

function isCollected(error: unknown): error is CollectedError {
  // With a cause, such as a service that is down, it is not about one prompt.
  if (isPromptsError(error, 'SERVICE_ADAPTER_FAILED')) return error.cause === undefined
  return isPromptsError(error, 'ANSWER_INVALID')
}

/**
 * Runs `task` for every item, at most `limit` at a time. After the first rejection no further task starts.
 * Own code, because p-limit starts the remaining tasks even then, and reads are metered.
 */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = once(items)
  const work = async (): Promise<void> => {
    for (const item of queue) await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
}

/** A generator, because it can be closed: a loop that rejects ends it for all loops. */
function* once<Item>(items: readonly Item[]): Generator<Item> {
  yield* items
}
