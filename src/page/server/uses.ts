import type { Lock } from '../../core/prompt.ts'
import type { UsesView, UseView } from '../protocol.ts'
import { errorView } from './error-view.ts'

/** Milliseconds for which an analysis is reused. Nothing watches the app's code. */
const FRESH = 30_000

/** The uses of prompts, from a dev server or from an analysis of the app's code. */
export interface Uses {
  /** The uses that are known now, without waiting for an analysis. */
  view(lock: Lock): Promise<UsesView>
  /** Analyses the code, if there is no dev server and the last analysis is not current. */
  ask(lock: Lock): Promise<UsesView>
}

/** Creates the look-up without reading anything. */
export function createUses({
  loaded,
  analyse,
  now,
}: {
  /** The modules that a dev server has loaded, if there is one. */
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

/** Uses depend on the names of prompts, not on their texts. */
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
