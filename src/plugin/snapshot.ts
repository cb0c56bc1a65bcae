import { isSamePrompt } from '../core/compare.ts'
import {
  type LockPlan,
  type ModulePlan,
  type PlannedPrompt,
  planStaged,
} from '../codegen/plan-module.ts'
import {
  type ModuleShape,
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../codegen/print-module.ts'
import type { ParseModule } from '../codegen/assert-only-data.ts'
import type { UsedNames } from '../analysis/by-use/used-names.ts'
import runtime from '../runtime/index.ts?text'
import type { ImportedModule, ModuleName, WorkspaceIds } from './ids.ts'

/** A lock and the code generated from it. Code is printed on demand. */
export interface Snapshot {
  readonly plan: LockPlan
  /** The definitions, one list for each module. */
  readonly parts: readonly (readonly PlannedPrompt[])[]
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
  /** Whether each importer gets only what it uses: in builds, not in dev servers. */
  readonly byUse: boolean
}

export function createSnapshot(plan: LockPlan, { ids, shape, byUse }: SnapshotSettings): Snapshot {
  const parts = planParts(plan, byUse ? 1 : PROMPTS_PER_DEV_MODULE)
  const partOf = new Map(
    parts.flatMap((prompts, part) => prompts.map(({ index }) => [index, part] as const)),
  )
  const specifiers: PrintTarget = {
    all: ids.module({ kind: 'all', staging: false }),
    definitions: ({ index }) => ids.module({ kind: 'definitions', part: partOf.get(index) ?? 0 }),
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
      const prompts = parts[name.part] ?? []
      return printDefinitions({ ...plan, prompts }, { ...specifiers, parse })
    },
    differs(name, old) {
      if (name.kind === 'runtime') return false
      if (name.kind === 'definitions')
        return !areSame(parts[name.part], old.parts[name.part], definesSame)
      const [now, before] = name.staging
        ? [plan.staging, old.plan.staging]
        : ([plan, old.plan] as const)
      return !areSame(now.prompts, before.prompts, hasSameNames)
    },
  }
}

/**
 * A build has a module for each definition, so that chunks get only what they use. Browsers fetch the
 * modules of a dev server one by one, and all of a module again after a change: with all 1,000 prompts
 * in one, a changed text took 0.45 s to arrive.
 */
const PROMPTS_PER_DEV_MODULE = 50

/** The definitions in modules of a size: those of the view, then those that only staging has. */
function planParts(plan: LockPlan, size: number): PlannedPrompt[][] {
  return [plan.prompts, planStaged(plan).prompts].flatMap((prompts) =>
    Array.from({ length: Math.ceil(prompts.length / size) }, (_, part) =>
      prompts.slice(part * size, (part + 1) * size),
    ),
  )
}

/** The prompts with at least one of the names, in the order of the lock, each under those names. */
function selectPrompts(plan: ModulePlan, used: UsedNames): ModulePlan {
  if (used === 'all') return plan
  const selected = plan.prompts.map((prompt) => ({
    ...prompt,
    names: prompt.names.filter((name) => used.has(name)),
  }))
  return { ...plan, prompts: selected.filter(({ names }) => names.length > 0) }
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
      return former?.index === planned.index && isSame(planned, former)
    })
  )
}

function definesSame({ prompt }: PlannedPrompt, { prompt: old }: PlannedPrompt): boolean {
  return prompt.environment === old.environment && isSamePrompt(prompt, old)
}

function hasSameNames({ names }: PlannedPrompt, { names: old }: PlannedPrompt): boolean {
  return names.length === old.length && names.every((name, at) => name === old[at])
}
