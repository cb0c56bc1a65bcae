import { changedParts, classifyChanges } from '../../core/classify-change.ts'
import { changeSides, comparePrompts, type PromptChange } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../../features/project/project.ts'
import type { CompareWith, ComparisonView, PromptDifference } from '../comparison-protocol.ts'
import type { ComparisonClass } from '../protocol.ts'
import { errorAnswer } from './error-view.ts'
import { otherKeyVariable } from './other-project.ts'
import type { PinnedPrompts } from './pinned-prompts.ts'
import type { Reads } from './reads.ts'
import type { ServiceCheck } from './service-check.ts'
import type { TypeChecks } from './type-checks.ts'

/** The sources of the two sides of a comparison. */
export interface ComparisonSources {
  readonly project: Project
  /** The same workspace with the other key, if there is one. */
  readonly other: Project | undefined
}

/** The prompt to compare, and the side to compare it with. */
export interface CompareRequest {
  readonly slug: string
  readonly compareWith: CompareWith
  /** Whether to ignore recent reads. */
  readonly fresh: boolean
}

/** Compares single prompts, and remembers the results. */
export interface Comparisons {
  /**
   * Compares one prompt of the lock: with the service (one read, which plans commonly meter), or live
   * with staging (two reads). A prompt that is not in the lock is not read.
   */
  compare(request: CompareRequest): Promise<ComparisonView>
  /** The results of the last comparisons with the service, as `PageState.changes` has them. */
  known(pinned: Pick<PinnedPrompts, 'find'>): Record<string, ComparisonClass>
  /** Remembers the result of a comparison with the service that was made elsewhere. */
  remember(slug: string, found: Pick<PromptDifference, 'class' | 'before'>): void
}

/** What comparisons use. */
export interface ComparisonTools {
  readonly service: Pick<ServiceCheck, 'listed'>
  readonly reads: Reads
  readonly checks: Pick<TypeChecks, 'impact'>
}

/** The result of a comparison with the service, for one pinned prompt and one list. */
interface FoundChange extends Pick<PromptDifference, 'class' | 'before'> {
  readonly listed: string
}

/** Creates the comparisons of one project. */
export function createComparisons(sources: ComparisonSources, tools: ComparisonTools): Comparisons {
  const { service } = tools
  const changes = new Map<string, FoundChange>()
  const remember = (
    slug: string,
    { class: found, before }: Pick<PromptDifference, 'class' | 'before'>,
    listed: string = service.listed(slug),
  ): void => void changes.set(slug, { class: found, before, listed })
  return {
    known({ find }) {
      const current = [...changes].filter(
        ([slug, { listed, before }]) =>
          listed === service.listed(slug) && isSame(before, find(slug)),
      )
      return Object.fromEntries(current.map(([slug, found]) => [slug, found.class]))
    },
    async compare(request) {
      const { slug } = request
      const listed = service.listed(slug)
      try {
        const found = await comparePrompt(sources, { ...request, listed }, tools)
        if (request.compareWith === 'service') remember(slug, found, listed)
        return found
      } catch (error) {
        return errorAnswer(error)
      }
    },
    remember,
  }
}

function isSame(pinned: PinnedPrompt | null, prompt: PinnedPrompt | undefined): boolean {
  return JSON.stringify(pinned) === JSON.stringify(prompt)
}

/**
 * @throws PromptsError the errors of reading lock and service, KEY_MISSING for staging without a
 *   second key, SLUG_UNKNOWN if the lock has no such prompt
 */
async function comparePrompt(
  sources: ComparisonSources,
  { slug, compareWith, fresh, listed }: CompareRequest & Pick<FoundChange, 'listed'>,
  { reads, checks }: ComparisonTools,
): Promise<ComparisonView & { readonly kind: 'compared' }> {
  const { project } = sources
  const lock = await project.readLock()
  const pinned = findKnownPrompt(slug, lock.prompts, 'The lock')
  const read = (from: Project): Promise<PinnedPrompt | undefined> =>
    reads.read(from, { slug, listed, fresh })
  const isService = compareWith === 'service'
  const [before, after] = await (isService
    ? Promise.all([pinned, read(project)])
    : Promise.all(liveAndStaging(sources).map(read)))
  const [change] = comparePrompts(toList(before), toList(after))
  return {
    kind: 'compared',
    names: isService ? { before: 'Lock', after: 'Service' } : { before: 'Live', after: 'Staging' },
    ...differenceOf(change),
    impact: isService && change !== undefined ? await checks.impact(lock, [change]) : null,
  }
}

function liveAndStaging({ project, other }: ComparisonSources): Project[] {
  if (other === undefined)
    throw new PromptsError('KEY_MISSING', { variable: otherKeyVariable(project.options) })
  return project.options.environment === 'live' ? [project, other] : [other, project]
}

function toList(prompt: PinnedPrompt | undefined): PinnedPrompt[] {
  return prompt === undefined ? [] : [prompt]
}

/** The two sides of a change and what differs; `undefined` if neither side has the prompt. */
export function differenceOf(change: PromptChange | undefined): PromptDifference {
  const { before = null, after = null } = change ? changeSides(change) : {}
  const [classified] = classifyChanges(change ? [change] : [])
  return { before, after, class: classified?.class ?? 'same', ...changedParts(change) }
}
