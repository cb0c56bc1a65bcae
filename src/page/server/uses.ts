import type { Lock } from '../../core/prompt.ts'
import type { UsesView, UseView } from '../protocol.ts'
import { createCache } from './cache.ts'
import { errorAnswer } from './error-view.ts'

/** How long an analysis is reused, in milliseconds: not every server watches the app's code. */
const FRESH = 30_000

/** The uses of prompts in the app's code. */
export interface Uses {
  /** The last analysis, without waiting for a new one. */
  view(lock: Lock): UsesView
  /** Analyses the code if the last analysis is not current. */
  ask(lock: Lock): Promise<UsesView>
}

/** What the uses are found with. */
interface UsesContext {
  /** Runs one analysis after the other. */
  readonly analyse: (lock: Lock) => Promise<readonly UseView[]>
  /** Counts the changes of code. */
  readonly edits: () => number
  readonly now: () => number
}

/** Creates the look-up without reading anything. */
export function createUses({ analyse, edits, now }: UsesContext): Uses {
  const analyses = createCache<UsesView>(now)
  let last: { readonly names: string; readonly view: UsesView } | undefined
  const run = async (lock: Lock): Promise<UsesView> => {
    const view = await analyse(lock).then(
      (modules): UsesView => ({ kind: 'analysed', modules }),
      errorAnswer,
    )
    last = { names: namesOf(lock), view }
    return view
  }
  const uses: Uses = {
    view: (lock) => (last?.names === namesOf(lock) ? last.view : { kind: 'pending' }),
    async ask(lock) {
      const stampNow = (): string => `${edits()} ${namesOf(lock)}`
      const use = { stamp: stampNow(), maxAge: FRESH }
      const view = await analyses.get('', use, () => run(lock)).value
      // A change during an analysis needs another one.
      return use.stamp === stampNow() ? view : uses.ask(lock)
    },
  }
  return uses
}

const names = new WeakMap<Lock, string>()

/** The names of the prompts. Uses depend on them, not on texts. */
function namesOf(lock: Lock): string {
  const known = names.get(lock) ?? JSON.stringify(lock.prompts.map(({ slug }) => slug))
  names.set(lock, known)
  return known
}
