import type { Lock } from '../core/prompt.ts'
import { type ModulePlan, planModule } from '../emit/plan-module.ts'
import { type ModuleShape, printAll, printDefinitions, printEntry } from '../emit/print-module.ts'
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
export function planSnapshot(lock: Lock, bundler: string): Snapshot {
  const plan = planModule(lock)
  const shape = shapeFor(plan, bundler)
  const printed = new Map<PublicId, string>()
  const print: Record<PublicId, () => string> = {
    [PUBLIC_IDS.entry]: () => printEntry(plan, PUBLIC_IDS, shape),
    [PUBLIC_IDS.all]: () => printAll(plan, PUBLIC_IDS, shape),
    [PUBLIC_IDS.definitions]: () => printDefinitions(plan, PUBLIC_IDS),
    [PUBLIC_IDS.runtime]: () => runtime,
  }
  const code = (id: PublicId): string => {
    const text = printed.get(id) ?? print[id]()
    printed.set(id, text)
    return text
  }
  return { lock, plan, code }
}

/**
 * Farm 1.7 aborts at export names that are no identifiers, and Rspack 2 and webpack 5 lose one
 * that is called `__proto__`.
 */
function shapeFor({ prompts }: ModulePlan, bundler: string): ModuleShape {
  const unsafe = prompts.some(({ names }) => names.includes('__proto__'))
  return bundler === 'farm' || unsafe ? 'object' : 'namespace'
}
