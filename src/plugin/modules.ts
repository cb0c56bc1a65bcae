import type { Lock } from '../core/prompt.ts'
import { type ModulePlan, planModule } from '../emit/plan-module.ts'
import { printEntry, printPrompts } from '../emit/print-module.ts'
import runtime from '../runtime/index.ts?text'
import { PUBLIC_IDS, type PublicId } from './ids.ts'

/** A lock with the code that is served from it, printed on demand and once. */
export interface Snapshot {
  readonly lock: Lock
  readonly plan: ModulePlan
  /** @throws PromptsError MODULE_REFUSED */
  readonly code: (id: PublicId) => string
}

/** Plans a lock's modules; prints none yet. */
export function planSnapshot(lock: Lock): Snapshot {
  const plan = planModule(lock)
  const printed = new Map<PublicId, string>()
  const print: Record<PublicId, () => string> = {
    [PUBLIC_IDS.entry]: () => printEntry(PUBLIC_IDS),
    [PUBLIC_IDS.all]: () => printPrompts(plan, PUBLIC_IDS),
    [PUBLIC_IDS.runtime]: () => runtime,
  }
  const code = (id: PublicId): string => {
    const text = printed.get(id) ?? print[id]()
    printed.set(id, text)
    return text
  }
  return { lock, plan, code }
}
