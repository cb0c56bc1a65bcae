import type { Lock, PinnedPrompt } from '../core/prompt.ts'
import {
  isDefinedIn,
  type ModulePlan,
  type PlannedPrompt,
  planModule,
} from '../codegen/plan-module.ts'
import {
  type ModuleShape,
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../codegen/print-module.ts'
import { isPromptsError } from '../errors/prompts-error.ts'
import type { Locks } from '../features/start/start.ts'
import type { ParseModule } from '../codegen/assert-only-data.ts'
import type { UsedNames } from '../analysis/by-use/used-names.ts'
import runtime from '../runtime/index.ts?text'
import type { ModuleName, WorkspaceIds } from './ids.ts'

/** The locks and the code generated from them. Code is printed on demand. */
export interface Snapshot {
  readonly lock: Lock
  readonly plan: ModulePlan
  /**
   * The code of a module.
   *
   * @throws PromptsError MODULE_REFUSED; for a module of the test lock, why there is none
   */
  readonly code: (name: ModuleName, request: CodeRequest) => string
  /** The prompts that a module defines. */
  readonly promptsIn: (name: ModuleName) => PinnedPrompt[]
  /** Whether the code of a module may differ from an older snapshot of the same project. */
  readonly differs: (name: ModuleName, old: Pick<Snapshot, 'plan'>) => boolean
}

/** What is known when a module is requested. */
export interface CodeRequest {
  /** What the importer uses, if the module is for one importer. */
  readonly use: UsedNames
  readonly parse: ParseModule
}

/** What the code of a snapshot depends on, besides the lock. */
export interface SnapshotSettings {
  readonly ids: Pick<WorkspaceIds, 'module'>
  /** The form of a module for one importer. */
  readonly shape: ModuleShape
  /** Whether each importer gets only what it uses: in builds, not in dev servers. */
  readonly byUse: boolean
}

/** A module that apps import. */
type ImportedModule = Extract<ModuleName, { readonly kind: 'entry' | 'all' }>

/** Plans the modules of a lock and of the test lock. Nothing is printed yet. */
export function planSnapshot(
  { lock, testLock }: Locks,
  { ids, shape, byUse }: SnapshotSettings,
): Snapshot {
  const plan = planModule(lock, isPromptsError(testLock) ? undefined : testLock)
  const planOf = ({ staging }: ImportedModule): ModulePlan => {
    if (!staging) return plan
    if (plan.staging === undefined) throw testLock
    return plan.staging
  }
  const specifiers: PrintTarget = {
    all: ids.module({ kind: 'all', staging: false }),
    definitions: (prompt) =>
      ids.module({ kind: 'definitions', part: partOf(prompt, plan, partSize) }),
    runtime: ids.module({ kind: 'runtime' }),
  }
  const print = (name: ImportedModule, prompts: ModulePlan, parse: ParseModule): string => {
    const target = { ...specifiers, all: ids.module({ ...name, kind: 'all' }), parse }
    const printModule = name.kind === 'entry' ? printEntry : printAll
    return printModule(prompts, target, name.importer === undefined ? 'namespace' : shape)
  }
  const codeForAll = new Map<string, string>()
  const printForAll = ({ kind, staging }: ImportedModule, parse: ParseModule): string => {
    const name = { kind, staging }
    const id = ids.module(name)
    const code = codeForAll.get(id) ?? print(name, planOf(name), parse)
    codeForAll.set(id, code)
    return code
  }
  const partSize = byUse ? 1 : PROMPTS_PER_DEV_MODULE
  /** What the code of a module depends on. */
  const sourceOf = (name: ModuleName, all: ModulePlan): unknown => {
    if (name.kind === 'runtime') return undefined
    if (name.kind !== 'definitions')
      return (name.staging ? all.staging : all)?.prompts.map(({ index, names }) => [index, names])
    return definitionsIn(name.part, all, partSize).prompts.map(({ index, prompt }) => {
      return { index, ...prompt, held: undefined }
    })
  }
  return {
    lock,
    plan,
    code(name, { use, parse }) {
      if (name.kind === 'runtime') return runtime
      if (name.kind === 'definitions')
        return printDefinitions(definitionsIn(name.part, plan, partSize), { ...specifiers, parse })
      if (use === 'all') return printForAll(name, parse)
      return print(name, selectPrompts(planOf(name), use), parse)
    },
    promptsIn: (name) =>
      name.kind === 'definitions'
        ? definitionsIn(name.part, plan, partSize).prompts.map(({ prompt }) => prompt)
        : [],
    differs: (name, { plan: old }) =>
      JSON.stringify(sourceOf(name, plan)) !== JSON.stringify(sourceOf(name, old)),
  }
}

/**
 * A build has a module for each definition, so that chunks get only what they use. Browsers fetch the
 * modules of a dev server one by one, and all of a module again after a change: with all 1,000 prompts
 * in one, a changed text took 0.45 s to arrive.
 */
const PROMPTS_PER_DEV_MODULE = 50

/** The module that defines a prompt: those of the test lock follow those of the live lock. */
function partOf({ index }: PlannedPrompt, { prompts }: ModulePlan, size: number): number {
  const position = index - prompts.length
  if (position < 0) return Math.floor(index / size)
  return Math.ceil(prompts.length / size) + Math.floor(position / size)
}

/** The prompts of a module of definitions. */
function definitionsIn(part: number, plan: ModulePlan, size: number): ModulePlan {
  const { prompts, staging = plan } = plan
  const first = Math.ceil(prompts.length / size)
  const isLive = part < first
  const source = isLive ? plan : staging
  const start = (isLive ? part : part - first) * size
  const slice = source.prompts.slice(start, start + size)
  return { ...source, prompts: slice.filter((prompt) => isDefinedIn(plan, prompt) === isLive) }
}

/** The prompts with at least one of the names, in the order of the lock, each under those names. */
function selectPrompts(plan: ModulePlan, used: ReadonlySet<string>): ModulePlan {
  const selected = plan.prompts.map((prompt) => ({
    ...prompt,
    names: prompt.names.filter((name) => used.has(name)),
  }))
  return { ...plan, prompts: selected.filter(({ names }) => names.length > 0) }
}
