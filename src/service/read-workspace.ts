import { mapConcurrent } from './concurrent.ts'
import { compareWithList } from '../core/drift.ts'
import type { PinnedPrompt } from '../core/prompt.ts'
import type { PromptService, PromptSummary, ServedPrompt } from '../core/service.ts'
import { isPromptsError, PromptsError } from '../errors/prompts-error.ts'

/** How far the reads are: told after each one. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** What to read of a workspace, and how. */
export interface SnapshotRequest {
  /** Which listed prompts are wanted at all. */
  readonly isSelected: (entry: PromptSummary) => boolean
  /** A prompt that is known to be what the entry says, so that no read is spent on it. */
  readonly findPinned: (entry: PromptSummary) => PinnedPrompt | undefined
  /** Single reads in flight. */
  readonly concurrency: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The wanted prompts at one moment of the workspace, and what reading them took. */
export interface WorkspaceSnapshot {
  readonly prompts: readonly PinnedPrompt[]
  /** All that is listed, wanted or not. */
  readonly listed: readonly PromptSummary[]
  /** As served, in words of the service. */
  readonly planStatus: string
  /** Single reads, which services commonly meter. */
  readonly reads: number
  readonly lists: number
}

/** How often a workspace that keeps changing is read before the pull fails. */
const MAX_ROUNDS = 3

/**
 * Reads a workspace at one consistent moment: list, read, list again, and read again what moved
 * in between, until the newest list agrees with all that was read. That list is the moment.
 *
 * @throws PromptsError PULL_UNSETTLED after three rounds, PROMPT_NOT_FOUND for a prompt that is
 *   listed and can't be read, ANSWER_INVALID with the problems of all prompts, and whatever the
 *   service throws
 */
export async function readWorkspace(
  service: PromptService,
  request: SnapshotRequest,
): Promise<WorkspaceSnapshot> {
  const read = new Map<string, PinnedPrompt>()
  const total = { reads: 0, lists: 1 }
  let { prompts, planStatus } = await service.list()
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const stale = staleEntries(prompts.filter(request.isSelected), read, service, request)
    const missing = await fetchEntries(stale, read, service, request)
    ;({ prompts, planStatus } = await service.list())
    total.reads += stale.length
    total.lists++
    assertNotListed(missing, prompts)
    const wanted = prompts.filter(request.isSelected)
    if (wanted.every((entry) => matchesList(read.get(entry.slug), entry, service))) {
      const current = wanted.flatMap(({ slug }) => read.get(slug) ?? [])
      return { prompts: current, listed: prompts, planStatus, ...total }
    }
  }
  const changing = prompts.filter(
    (entry) => request.isSelected(entry) && !matchesList(read.get(entry.slug), entry, service),
  )
  throw new PromptsError('PULL_UNSETTLED', {
    slugs: changing.map(({ slug }) => slug),
    rounds: MAX_ROUNDS,
  })
}

/** The entries to read: those that neither an earlier round nor the lock holds as listed. */
function staleEntries(
  wanted: readonly PromptSummary[],
  read: Map<string, PinnedPrompt>,
  service: PromptService,
  { findPinned }: SnapshotRequest,
): PromptSummary[] {
  return wanted.filter((entry) => {
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
  return prompt !== undefined && compareWithList(prompt, entry, environment).length === 0
}

/** Reads entries into `read`; gives the slugs that are not there (404). */
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
    const served = await collectProblems(service.get(slug), problems)
    if (served === undefined) missing.add(slug)
    else if (served !== 'invalid') read.set(slug, toPinned(served))
    onProgress?.({ done: ++done, total: entries.length })
  })
  if (problems.length > 0) throw new PromptsError('ANSWER_INVALID', { problems })
  return missing
}

/** Lets invalid answers wait until all are read, so that they are reported together. */
async function collectProblems<Answer>(
  answer: Promise<Answer>,
  problems: string[],
): Promise<Answer | 'invalid'> {
  try {
    return await answer
  } catch (error) {
    if (!isPromptsError(error, 'ANSWER_INVALID')) throw error
    problems.push(...error.details.problems)
    return 'invalid'
  }
}

/** Gone from the list too means removed; still listed is a fault of the service. */
function assertNotListed(missing: ReadonlySet<string>, prompts: readonly PromptSummary[]): void {
  const slugs = prompts.map(({ slug }) => slug).filter((slug) => missing.has(slug))
  if (slugs.length > 0) throw new PromptsError('PROMPT_NOT_FOUND', { slugs })
}

function toPinned(served: ServedPrompt): PinnedPrompt {
  const { slug, folder, model, temperature, version, systemSource, userSource, source } = served
  return {
    slug,
    folder,
    model,
    temperature,
    version,
    system: systemSource,
    user: userSource,
    source,
  }
}
