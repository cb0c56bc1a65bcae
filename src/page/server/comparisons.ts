import type { PinnedPrompt } from '../../core/prompt.ts'
import type { Project } from '../../features/project/project.ts'
import type { CompareWith, ComparisonView, PromptDifference } from '../comparison-protocol.ts'
import type { ComparisonClass } from '../protocol.ts'
import { type ComparisonSources, comparePrompt } from './comparison.ts'
import { errorView } from './error-view.ts'
import type { PinnedPrompts } from './pinned-prompts.ts'
import type { Reads } from './reads.ts'
import type { ServiceCheck } from './service-check.ts'
import type { TypeChecks } from './type-checks.ts'

/** The prompt to compare, and the side to compare it with. */
export interface CompareRequest {
  readonly slug: string
  readonly compareWith: CompareWith
  /** Whether to ignore recent reads. */
  readonly fresh: boolean
}

/** Compares single prompts, and remembers the results. */
export interface Comparisons {
  compare(request: CompareRequest): Promise<ComparisonView>
  /** The results of the last comparisons with the service, as `PageState.changes` has them. */
  known(pinned: Pick<PinnedPrompts, 'find'>): Record<string, ComparisonClass>
  /** Remembers the result of a comparison with the service that was made elsewhere. */
  remember(slug: string, found: Pick<PromptDifference, 'class' | 'before'>): void
}

/** The result of a comparison with the service, for one pinned prompt and one list. */
interface FoundChange {
  readonly class: ComparisonClass
  readonly pinned: PinnedPrompt | null
  readonly listed: string
}

/** Creates the comparisons of one project. */
export function createComparisons(
  sources: ComparisonSources,
  {
    service,
    reads,
    checks,
  }: {
    readonly service: Pick<ServiceCheck, 'listed'>
    readonly reads: Reads
    readonly checks: Pick<TypeChecks, 'impact'>
  },
): Comparisons {
  const changes = new Map<string, FoundChange>()
  const keep = (slug: string, found: Omit<FoundChange, 'listed'>, listed: string): void =>
    void changes.set(slug, { ...found, listed })
  return {
    known({ find }) {
      const current = [...changes].filter(
        ([slug, { listed, pinned }]) =>
          listed === service.listed(slug) && isSame(pinned, find(slug)),
      )
      return Object.fromEntries(current.map(([slug, found]) => [slug, found.class]))
    },
    async compare({ slug, compareWith, fresh }) {
      const listed = service.listed(slug)
      const read = (from: Project): Promise<PinnedPrompt | undefined> =>
        reads.read(from, { slug, listed, fresh })
      try {
        const tools = { read, impact: checks.impact }
        const found = await comparePrompt(sources, { slug, compareWith }, tools)
        if (compareWith === 'service')
          keep(slug, { class: found.class, pinned: found.before }, listed)
        return found
      } catch (error) {
        return { kind: 'error', error: errorView(error) }
      }
    },
    remember: (slug, found) =>
      keep(slug, { class: found.class, pinned: found.before }, service.listed(slug)),
  }
}

function isSame(pinned: PinnedPrompt | null, prompt: PinnedPrompt | undefined): boolean {
  return JSON.stringify(pinned) === JSON.stringify(prompt)
}
