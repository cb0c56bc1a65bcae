import type { ModulePlan } from '../codegen/plan-module.ts'
import {
  type PrintTarget,
  printAll,
  printDefinitions,
  printEntry,
} from '../codegen/print-module.ts'
import runtime from '../runtime/index.ts?text'
import type { Sources } from './hooks.ts'

/**
 * Prints the modules for Node: the same as for bundlers, with all prompts.
 *
 * @param entry - the specifier in the app: `virtual:prompts`
 * @throws PromptsError MODULE_REFUSED
 */
export function printSources(plan: ModulePlan, entry: string): Sources {
  const target = {
    all: `${entry}/all`,
    definitions: `${entry}/definitions`,
    runtime: `${entry}/runtime`,
  } as const satisfies PrintTarget
  return {
    [entry]: printEntry(plan, target, 'namespace'),
    [target.all]: printAll(plan, target, 'namespace'),
    [target.definitions]: printDefinitions(plan, target),
    [target.runtime]: runtime,
  }
}
