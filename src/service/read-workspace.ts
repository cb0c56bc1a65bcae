import { mapConcurrent } from './concurrent.ts'
import { listedDifferences } from '../core/drift.ts'
import type { PinnedPrompt } from '../core/prompt.ts'
import type { PromptService, PromptSummary, ServedPrompt } from '../core/service.ts'
import { isPromptsError, PromptsError } from '../errors/catalogue.ts'

/** How far the reads are: told after each one. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** What to read of a workspace, and how. */
export interface WorkspaceRequest {
  /** Which listed prompts are wanted at all. */
  readonly wants: (entry: PromptSummary) => boolean
  /** A prompt that is known to be what the entry says, so that no read is spent on it. */
  readonly known: (entry: PromptSummary) => PinnedPrompt | undefined
  /** Single reads in flight. */
  readonly concurrency: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The wanted prompts at one moment of the workspace, and what reading them took. */
export interface Workspace {
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
const ROUNDS = 3

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
  request: WorkspaceRequest,
): Promise<Workspace> {
  const read = new Map<string, PinnedPrompt>()
  const total = { reads: 0, lists: 1 }
  let { prompts, planStatus } = await service.list()
  for (let round = 1; round <= ROUNDS; round++) {
    const stale = staleEntries(prompts.filter(request.wants), read, service, request)
    const gone = await readEntries(stale, read, service, request)
    ;({ prompts, planStatus } = await service.list())
    total.reads += stale.length
    total.lists++
    refuseUnreadable(gone, prompts)
    const wanted = prompts.filter(request.wants)
    if (wanted.every((entry) => fits(read.get(entry.slug), entry, service))) {
      const current = wanted.flatMap(({ slug }) => read.get(slug) ?? [])
      return { prompts: current, listed: prompts, planStatus, ...total }
    }
  }
  const moving = prompts.filter(
    (entry) => request.wants(entry) && !fits(read.get(entry.slug), entry, service),
  )
  throw new PromptsError('PULL_UNSETTLED', {
    slugs: moving.map(({ slug }) => slug),
    rounds: ROUNDS,
  })
}

/** The entries to read: those that neither an earlier round nor the lock holds as listed. */
function staleEntries(
  wanted: readonly PromptSummary[],
  read: Map<string, PinnedPrompt>,
  service: PromptService,
  { known }: WorkspaceRequest,
): PromptSummary[] {
  return wanted.filter((entry) => {
    const current = read.get(entry.slug) ?? known(entry)
    if (current === undefined || !fits(current, entry, service)) return true
    read.set(entry.slug, current)
    return false
  })
}

function fits(
  prompt: PinnedPrompt | undefined,
  entry: PromptSummary,
  { environment }: PromptService,
): boolean {
  return prompt !== undefined && listedDifferences(prompt, entry, environment).length === 0
}

/** Reads entries into `read`; gives the slugs that are not there (404). */
async function readEntries(
  entries: readonly PromptSummary[],
  read: Map<string, PinnedPrompt>,
  service: PromptService,
  { concurrency, onProgress }: WorkspaceRequest,
): Promise<Set<string>> {
  const gone = new Set<string>()
  const problems: string[] = []
  let done = 0
  await mapConcurrent(entries, concurrency, async ({ slug }) => {
    const served = await collectProblems(service.get(slug), problems)
    if (served === undefined) gone.add(slug)
    else if (served !== 'invalid') read.set(slug, pin(served))
    onProgress?.({ done: ++done, total: entries.length })
  })
  if (problems.length > 0) throw new PromptsError('ANSWER_INVALID', { problems })
  return gone
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
function refuseUnreadable(gone: ReadonlySet<string>, prompts: readonly PromptSummary[]): void {
  const slugs = prompts.map(({ slug }) => slug).filter((slug) => gone.has(slug))
  if (slugs.length > 0) throw new PromptsError('PROMPT_NOT_FOUND', { slugs })
}

function pin(served: ServedPrompt): PinnedPrompt {
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
