import type { ModulePlan } from '../emit/plan-module.ts'
import { type PrintTarget, printAll, printDefinitions, printEntry } from '../emit/print-module.ts'
import runtime from '../runtime/index.ts?text'
import { ENTRY, type Sources } from './hooks.ts'

const TARGET = {
  all: `${ENTRY}/all`,
  definitions: `${ENTRY}/definitions`,
  runtime: `${ENTRY}/runtime`,
} as const satisfies PrintTarget

/**
 * Prints the modules that Node runs: those that bundlers get, whole, since Node shakes nothing.
 *
 * @throws PromptsError MODULE_REFUSED
 */
export function printSources(plan: ModulePlan): Sources {
  return {
    [ENTRY]: printEntry(plan, TARGET, 'namespace'),
    [TARGET.all]: printAll(plan, TARGET, 'namespace'),
    [TARGET.definitions]: printDefinitions(plan, TARGET),
    [TARGET.runtime]: runtime,
  }
}
