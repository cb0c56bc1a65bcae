import type { Lock } from '../../core/prompt.ts'
import type { UsesView, UseView } from '../protocol.ts'
import { errorView } from './error-view.ts'

/** Milliseconds for which an analysis counts as current: nothing watches the app's code. */
const FRESH = 30_000

/** Who uses prompts: as a dev server knows it, or by an analysis of the app's code. */
export interface Uses {
  /** What is known now; an analysis is not waited for. */
  view(lock: Lock): Promise<UsesView>
  /** Analyses the code, if there is no dev server and the last analysis is not current. */
  ask(lock: Lock): Promise<UsesView>
}

/** Makes the look-up; looks at nothing yet. */
export function createUses({
  loaded,
  analyse,
  now,
}: {
  /** What a dev server has loaded, if there is one. */
  readonly loaded: (() => Promise<readonly UseView[]>) | undefined
  readonly analyse: (lock: Lock) => Promise<readonly UseView[]>
  readonly now: () => number
}): Uses {
  if (loaded !== undefined) {
    const view = async (): Promise<UsesView> => ({ kind: 'loaded', modules: await loaded() })
    return { view, ask: view }
  }
  let last: { readonly of: string; readonly at: number; readonly view: UsesView } | undefined
  let running: { readonly of: string; readonly view: Promise<UsesView> } | undefined
  const run = async (lock: Lock, of: string): Promise<UsesView> => {
    const view = await analyseSafely(() => analyse(lock))
    last = { of, at: now(), view }
    running = undefined
    return view
  }
  return {
    view: async (lock) => (last?.of === namesOf(lock) ? last.view : { kind: 'pending' }),
    async ask(lock) {
      const of = namesOf(lock)
      if (last?.of === of && now() - last.at < FRESH) return last.view
      if (running?.of !== of) running = { of, view: run(lock, of) }
      return running.view
    },
  }
}

/** Uses depend on the names of prompts, and not on their texts. */
function namesOf({ prompts }: Lock): string {
  return JSON.stringify(prompts.map(({ slug }) => slug))
}

async function analyseSafely(analyse: () => Promise<readonly UseView[]>): Promise<UsesView> {
  try {
    return { kind: 'analysed', modules: await analyse() }
  } catch (error) {
    return { kind: 'error', error: errorView(error) }
  }
}
