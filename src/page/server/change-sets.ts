import type { PromptChange } from '../../core/compare.ts'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ImpactView,
  ReadMode,
} from '../comparison-protocol.ts'
import { type ChangeSet, changesView, readChanges } from './changes.ts'
import type { ComparisonSources } from './comparisons.ts'
import { errorAnswer } from './error-view.ts'
import type { TypeChecks } from './type-checks.ts'

/** Compares all prompts at once, and finds what the changes break. Comparisons are kept. */
export interface ChangeSets {
  changes(query: ChangesQuery, mode: ReadMode): Promise<ChangesView>
  /** What the changes break that were read last. They are read only if there are none. */
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
  const { last, known, read } = createSetReader(context)
  let edits = 0
  return {
    async changes(query, mode) {
      try {
        const kept = await (mode === 'known' ? known(query) : read(query, mode))
        return kept === undefined ? { kind: 'unknown' } : changesView(await kept.set, kept.at)
      } catch (error) {
        return errorAnswer(error)
      }
    },
    async impact(query) {
      const kept = last(query) ?? (await read(query, 'recent'))
      const found = kept.impact
      const isCurrent = found?.edits === edits && now() - found.at < IMPACT_FRESH
      const current = isCurrent ? found : { at: now(), edits, view: impactOf(kept, query, checks) }
      kept.impact = current
      return current.view
    },
    expire: () => void edits++,
  }
}

/** The age to which a comparison is reused, in milliseconds: each may cost many reads. */
const MAX_AGE = { recent: 5 * 60_000, fresh: 10_000 } as const

/** Reads comparisons and keeps the last of each query. */
interface SetReader {
  /** The last one, of any age. */
  last(query: ChangesQuery): KeptSet | undefined
  /** The last one, if neither lock nor list have changed since. */
  known(query: ChangesQuery): Promise<KeptSet | undefined>
  read(query: ChangesQuery, mode: keyof typeof MAX_AGE): Promise<KeptSet>
}

function createSetReader({ sources, revision, onRead, now }: ChangesContext): SetReader {
  const all = new Map<string, KeptSet>()
  const last: SetReader['last'] = (query) => all.get(JSON.stringify(query))
  return {
    last,
    async known(query) {
      const current = await revision()
      const found = last(query)
      return found?.revision === current ? found : undefined
    },
    async read(query, mode) {
      const current = await revision()
      const found = last(query)
      if (found?.revision === current && now() - found.at < MAX_AGE[mode]) return found
      const set = readChanges(sources, query)
      const kept: KeptSet = { revision: current, at: now(), set }
      const key = JSON.stringify(query)
      all.set(key, kept)
      set.then(
        (changes) => onRead(changes, query),
        () => all.delete(key),
      )
      return kept
    },
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
    return { impact: errorAnswer(error), skipped: [] }
  }
}

/** Code may use a removed prompt without a type that shows it. */
function mayBreak(impact: ImpactView | null, changes: readonly PromptChange[]): boolean {
  if (impact?.kind !== 'found') return impact !== null
  return impact.places.length > 0 || changes.some(({ kind }) => kind === 'removed')
}
