import type { PromptChange } from '../../core/compare.ts'
import type { ChangesImpactView, ChangesQuery, ChangesView, ImpactView } from '../protocol.ts'
import { type ChangeSet, changesView, readChanges } from './changes.ts'
import type { ComparisonSources } from './comparison.ts'
import { errorView } from './error-view.ts'
import type { TypeChecks } from './type-checks.ts'

/** How long a comparison is reused while lock and list are unchanged, in milliseconds. */
const FRESH = 5 * 60_000

/** Milliseconds between two comparisons: each may cost many reads. */
const MIN_INTERVAL = 10_000

/** Compares all prompts at once, and finds what the changes break. Comparisons are kept. */
export interface ChangeSets {
  /** @param fresh - whether to ignore a recent comparison */
  changes(query: ChangesQuery, fresh: boolean): Promise<ChangesView>
  impact(query: ChangesQuery): Promise<ChangesImpactView>
  /** Reports that code has changed. */
  expire(): void
}

/** The state that comparisons depend on. */
export interface ChangesContext {
  readonly sources: ComparisonSources
  readonly checks: Pick<TypeChecks, 'impact' | 'skipped'>
  /** Differs when lock or list have changed. */
  readonly revision: () => Promise<string>
  readonly onRead: (set: ChangeSet, query: ChangesQuery) => void
  readonly now: () => number
}

interface KeptSet {
  readonly revision: string
  readonly at: number
  readonly set: Promise<ChangeSet>
  /** What the set breaks, as the code was then. */
  impact?: {
    readonly at: number
    readonly edits: number
    readonly view: Promise<ChangesImpactView>
  }
}

/** How long an impact is reused, in milliseconds: not every server watches the app's code. */
const IMPACT_FRESH = 30_000

/** Creates the comparisons of one project. */
export function createChangeSets(context: ChangesContext): ChangeSets {
  const { checks, now } = context
  const read = createSetReader(context)
  let edits = 0
  return {
    async changes(query, fresh) {
      try {
        return changesView(await (await read(query, fresh)).set)
      } catch (error) {
        return { kind: 'error', error: errorView(error) }
      }
    },
    async impact(query) {
      const kept = await read(query, false)
      const known = kept.impact
      const isCurrent = known?.edits === edits && now() - known.at < IMPACT_FRESH
      const current = isCurrent ? known : { at: now(), edits, view: impactOf(kept, query, checks) }
      kept.impact = current
      return current.view
    },
    expire: () => void edits++,
  }
}

type ReadSet = (query: ChangesQuery, fresh: boolean) => Promise<KeptSet>

function createSetReader({ sources, revision, onRead, now }: ChangesContext): ReadSet {
  const all = new Map<string, KeptSet>()
  return async (query, fresh) => {
    const key = JSON.stringify(query)
    const current = await revision()
    const known = all.get(key)
    const maxAge = fresh ? MIN_INTERVAL : FRESH
    if (known?.revision === current && now() - known.at < maxAge) return known
    const set = readChanges(sources, query)
    const kept: KeptSet = { revision: current, at: now(), set }
    all.set(key, kept)
    set.then(
      (found) => onRead(found, query),
      () => all.delete(key),
    )
    return kept
  }
}

async function impactOf(
  { set }: KeptSet,
  query: ChangesQuery,
  checks: ChangesContext['checks'],
): Promise<ChangesImpactView> {
  try {
    const { before, changes } = await set
    const impact = await checks.impact(before, changes)
    const canSkip = query.kind === 'service' && mayBreak(impact, changes)
    return { impact, skipped: canSkip ? await checks.skipped(before, changes) : [] }
  } catch (error) {
    return { impact: { kind: 'error', error: errorView(error) }, skipped: [] }
  }
}

/** Code may use a removed prompt without a type that shows it. */
function mayBreak(impact: ImpactView | null, changes: readonly PromptChange[]): boolean {
  if (impact?.kind !== 'found') return impact !== null
  return impact.places.length > 0 || changes.some(({ kind }) => kind === 'removed')
}
