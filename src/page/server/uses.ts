import type { Lock } from '../../core/prompt.ts'
import type { UsesView, UseView } from '../protocol.ts'
import { errorAnswer } from './error-view.ts'

/** How long an analysis is reused, in milliseconds: not every server watches the app's code. */
const FRESH = 30_000

/** The uses of prompts in the app's code. */
export interface Uses {
  /** The last analysis, without waiting for a new one. */
  view(lock: Lock): UsesView
  /** Analyses the code if the last analysis is not current. */
  ask(lock: Lock): Promise<UsesView>
  /** Reports that code has changed. */
  expire(): void
}

interface Analysis {
  /** The names of the prompts. Uses depend on them, not on texts. */
  readonly names: string
  /** Counts the changes of code before the analysis. */
  readonly edits: number
  readonly at: number
  readonly view: UsesView
}

/** Creates the look-up without reading anything. At most one analysis runs at a time. */
export function createUses({
  analyse,
  now,
}: {
  readonly analyse: (lock: Lock) => Promise<readonly UseView[]>
  readonly now: () => number
}): Uses {
  let edits = 0
  let last: Analysis | undefined
  let running: Promise<void> | undefined
  const run = async (lock: Lock): Promise<void> => {
    const before = { names: namesOf(lock), edits }
    const view = await analyseSafely(() => analyse(lock))
    last = { ...before, at: now(), view }
    running = undefined
  }
  const isCurrent = (found: Analysis, lock: Lock): boolean =>
    found.names === namesOf(lock) && found.edits === edits && now() - found.at < FRESH
  const uses: Uses = {
    view: (lock) => (last?.names === namesOf(lock) ? last.view : { kind: 'pending' }),
    async ask(lock) {
      const known = last
      if (known !== undefined && isCurrent(known, lock)) return known.view
      await (running ??= run(lock))
      // A change during an analysis needs another one.
      return uses.ask(lock)
    },
    expire: () => void edits++,
  }
  return uses
}

const names = new WeakMap<Lock, string>()

function namesOf(lock: Lock): string {
  const known = names.get(lock) ?? JSON.stringify(lock.prompts.map(({ slug }) => slug))
  names.set(lock, known)
  return known
}

async function analyseSafely(analyse: () => Promise<readonly UseView[]>): Promise<UsesView> {
  try {
    return { kind: 'analysed', modules: await analyse() }
  } catch (error) {
    return errorAnswer(error)
  }
}
