import type { PromptChange } from '../../core/compare.ts'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ImpactView,
  ReadMode,
} from '../comparison-protocol.ts'
import { createCache, type Kept } from './cache.ts'
import { type ChangeSet, changesView, readChanges } from './changes.ts'
import type { ComparisonSources } from './comparisons.ts'
import { errorAnswer } from './error-view.ts'
import type { TypeChecks } from './type-checks.ts'

/** Compares all prompts at once, and finds what the changes break. Comparisons are kept. */
export interface ChangeSets {
  changes(query: ChangesQuery, mode: ReadMode): Promise<ChangesView>
  /** What the changes break that were read last. They are read only if there are none. */
  impact(query: ChangesQuery): Promise<ChangesImpactView>
}

/** The state that comparisons depend on. */
export interface ChangesContext {
  readonly sources: ComparisonSources
  readonly checks: Pick<TypeChecks, 'impact' | 'skipped'>
  /** Differs when lock or list have changed. */
  readonly revision: () => Promise<string>
  /** Counts the changes of code. */
  readonly edits: () => number
  readonly onRead: (set: ChangeSet, query: ChangesQuery) => void
  readonly now: () => number
}

/** The age to which a comparison is reused, in milliseconds: each may cost many reads. */
const MAX_AGE = { recent: 5 * 60_000, fresh: 10_000 } as const

/** How long an impact is reused, in milliseconds: not every server watches the app's code. */
const IMPACT_FRESH = 30_000

/** Creates the comparisons of one project. */
export function createChangeSets(context: ChangesContext): ChangeSets {
  const { sources, checks, revision, edits, onRead, now } = context
  const sets = createCache<ChangeSet>(now)
  const impacts = createCache<ChangesImpactView>(now)
  const known = async (query: ChangesQuery): Promise<Kept<ChangeSet> | undefined> => {
    const stamp = await revision()
    const found = sets.last(JSON.stringify(query))
    return found?.stamp === stamp ? found : undefined
  }
  const read = async (
    query: ChangesQuery,
    mode: keyof typeof MAX_AGE,
  ): Promise<Kept<ChangeSet>> => {
    const use = { stamp: await revision(), maxAge: MAX_AGE[mode] }
    return sets.get(JSON.stringify(query), use, async () => {
      const set = await readChanges(sources, query)
      onRead(set, query)
      return set
    })
  }
  return {
    async changes(query, mode) {
      try {
        const kept = await (mode === 'known' ? known(query) : read(query, mode))
        return kept === undefined ? { kind: 'unknown' } : changesView(await kept.value, kept.at)
      } catch (error) {
        return errorAnswer(error)
      }
    },
    async impact(query) {
      const key = JSON.stringify(query)
      const { stamp, at, value } = sets.last(key) ?? (await read(query, 'recent'))
      const use = { stamp: JSON.stringify([stamp, at, edits()]), maxAge: IMPACT_FRESH }
      return impacts.get(key, use, () => impactOf(value, query, checks)).value
    },
  }
}

async function impactOf(
  set: Promise<ChangeSet>,
  query: ChangesQuery,
  checks: ChangesContext['checks'],
): Promise<ChangesImpactView> {
  try {
    const { before, changes } = await set
    const impact = await checks.impact(before, changes)
    const canSkip = query.kind === 'service' && mayBreak(impact, changes)
    return { impact, skipped: canSkip ? await checks.skipped(before, changes) : [] }
  } catch (error) {
    return { impact: errorAnswer(error), skipped: [] }
  }
}

/** Code may use a removed prompt without a type that shows it. */
function mayBreak(impact: ImpactView | null, changes: readonly PromptChange[]): boolean {
  if (impact?.kind !== 'found') return impact !== null
  return impact.places.length > 0 || changes.some(({ kind }) => kind === 'removed')
}
