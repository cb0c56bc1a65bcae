import type { ModulePlan } from '../emit/plan-module.ts'
import { type ModuleIds, printAll, printDefinitions, printEntry } from '../emit/print-module.ts'
import runtime from '../runtime/index.ts?text'
import { ENTRY, type Sources } from './hooks.ts'

const IDS = {
  all: `${ENTRY}/all`,
  definitions: `${ENTRY}/definitions`,
  runtime: `${ENTRY}/runtime`,
} as const satisfies ModuleIds

/**
 * Prints the modules that Node runs: those that bundlers get, whole, since Node shakes nothing.
 *
 * @throws PromptsError MODULE_REFUSED
 */
export function printSources(plan: ModulePlan): Sources {
  return {
    [ENTRY]: printEntry(plan, IDS, 'namespace'),
    [IDS.all]: printAll(plan, IDS, 'namespace'),
    [IDS.definitions]: printDefinitions(plan, IDS),
    [IDS.runtime]: runtime,
  }
}
