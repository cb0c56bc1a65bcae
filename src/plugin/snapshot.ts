import { isSamePrompt } from '../core/compare.ts'
import { partKey } from '../core/prompt.ts'
import { groupBy } from '../core/text/order.ts'
import {
  type LockPlan,
  type ModulePlan,
  type PlannedPrompt,
  planStaged,
  promptOf,
} from '../codegen/plan-module.ts'
import {
  definitionKey,
  type ModuleShape,
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../codegen/print-module.ts'
import type { ParseModule } from '../codegen/assert-only-data.ts'
import type { UsedNames } from './by-use/used-names.ts'
import runtime from '../runtime/index.ts?text'
import type { ImportedModule, ModuleName, WorkspaceIds } from './ids.ts'

/** A lock and the code generated from it. Code is printed on demand. */
export interface Snapshot {
  readonly plan: LockPlan
  /** The definitions of each module. */
  readonly parts: () => ReadonlyMap<string, readonly PlannedPrompt[]>
  /**
   * The code of a module.
   *
   * @throws PromptsError MODULE_REFUSED
   */
  readonly code: (name: ModuleName, request: CodeRequest) => string
  /** Whether the code of a module may differ from an older snapshot of the same project. */
  readonly differs: (name: ModuleName, old: Pick<Snapshot, 'plan' | 'parts'>) => boolean
}

/** What is known when a module is requested. */
export interface CodeRequest {
  /** What the importer uses, if the module is for one importer. */
  readonly use: UsedNames
  /** Default: acorn. */
  readonly parse?: ParseModule | undefined
}

/** What the code of a snapshot depends on, besides the lock. */
export interface SnapshotSettings {
  readonly ids: Pick<WorkspaceIds, 'module'>
  /** The form of a module for one importer. */
  readonly shape: ModuleShape
  /** The number of modules that share the definitions by their keys; `Infinity` for one of each definition. */
  readonly groups: number
}

export function createSnapshot(plan: LockPlan, { ids, shape, groups }: SnapshotSettings): Snapshot {
  const definitions = [...plan.prompts, ...planStaged(plan).prompts]
  const isSeparate = groups === Infinity
  const partOf = ({ head }: PlannedPrompt): string =>
    isSeparate ? definitionKey(head) : groupOf(definitionKey(head), groups)
  let known: Map<string, PlannedPrompt[]> | undefined
  const parts = (): Map<string, PlannedPrompt[]> => (known ??= groupBy(definitions, partOf))
  // The keys of 1,000 prompts take 5 ms to hash, and most builds ask only for what another module has named.
  const named = new Map<string, readonly PlannedPrompt[]>()
  const specifiers: PrintTarget = {
    all: ids.module({ kind: 'all', staging: false }),
    definitions(planned) {
      const part = partOf(planned)
      if (isSeparate) named.set(part, [planned])
      return ids.module({ kind: 'definitions', part })
    },
    runtime: ids.module({ kind: 'runtime' }),
  }
  const print = (name: ImportedModule, use: UsedNames, parse: CodeRequest['parse']): string => {
    const target = { ...specifiers, all: ids.module({ ...name, kind: 'all' }), parse }
    const prompts = selectPrompts(name.staging ? plan.staging : plan, use)
    if (name.kind === 'all') return printAll(prompts, target)
    return printEntry(prompts, target, name.importer === undefined ? 'namespace' : shape)
  }
  const codeForAll = new Map<string, string>()
  const printForAll = ({ kind, staging }: ImportedModule, parse: CodeRequest['parse']): string => {
    const id = ids.module({ kind, staging })
    const code = codeForAll.get(id) ?? print({ kind, staging }, 'all', parse)
    codeForAll.set(id, code)
    return code
  }
  return {
    plan,
    parts,
    code(name, { use, parse }) {
      if (name.kind === 'runtime') return runtime
      if (name.kind !== 'definitions')
        return use === 'all' ? printForAll(name, parse) : print(name, use, parse)
      const prompts = named.get(name.part) ?? parts().get(name.part) ?? []
      return printDefinitions({ ...plan, prompts }, { ...specifiers, parse })
    },
    differs(name, old) {
      if (name.kind === 'runtime') return false
      if (name.kind === 'definitions')
        return !areSame(parts().get(name.part), old.parts().get(name.part), definesSame)
      const [now, before] = name.staging
        ? [plan.staging, old.plan.staging]
        : ([plan, old.plan] as const)
      return !areSame(now.prompts, before.prompts, hasSameNames)
    },
  }
}

function groupOf(key: string, groups: number): string {
  return `${Number(key.slice(-6)) % groups}`
}

/** The prompts with at least one of the names, in the order of the lock, each under those names. */
function selectPrompts(plan: ModulePlan, used: UsedNames): ModulePlan {
  if (used === 'all') return plan
  const isUsed = (name: string): boolean => used.has(name)
  const prompts = plan.prompts.filter(({ names }) => names.some(isUsed))
  return {
    ...plan,
    prompts: prompts.map((planned) => ({ ...planned, names: planned.names.filter(isUsed) })),
  }
}

function areSame(
  now: readonly PlannedPrompt[] = [],
  old: readonly PlannedPrompt[] = [],
  isSame: (now: PlannedPrompt, old: PlannedPrompt) => boolean,
): boolean {
  return (
    now.length === old.length &&
    now.every((planned, at) => {
      const former = old[at]
      return former && partKey(planned.head) === partKey(former.head) && isSame(planned, former)
    })
  )
}

function definesSame(planned: PlannedPrompt, old: PlannedPrompt): boolean {
  return isSamePrompt(promptOf(planned), promptOf(old))
}

function hasSameNames({ names }: PlannedPrompt, { names: old }: PlannedPrompt): boolean {
  return names.length === old.length && names.every((name, at) => name === old[at])
}
