import { isSamePrompt } from '../core/compare.ts'
import type { Lock, PinnedPrompt } from '../core/prompt.ts'
import { type ModulePlan, type PlannedPrompt, planModule } from '../codegen/plan-module.ts'
import {
  type ModuleShape,
  type NamedPrompts,
  printAll,
  printDefinitions,
  printEntry,
  type PrintTarget,
} from '../codegen/print-module.ts'
import type { ParseModule } from '../codegen/assert-only-data.ts'
import type { UsedNames } from '../analysis/by-use/used-names.ts'
import runtime from '../runtime/index.ts?text'
import type { ModuleName, WorkspaceIds } from './ids.ts'

/** A lock and the code generated from it. Code is printed on demand. */
export interface Snapshot {
  readonly lock: Lock
  readonly plan: ModulePlan
  /**
   * The code of a module.
   *
   * @throws PromptsError MODULE_REFUSED
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
  /** Whether each importer gets only what it uses. Otherwise all get every prompt. */
  readonly byUse: boolean
}

/** A module that apps import. */
type ImportedModule = Extract<ModuleName, { readonly kind: 'entry' | 'all' }>

/** Plans the modules of a lock. Nothing is printed yet. */
export function planSnapshot(lock: Lock, settings: SnapshotSettings): Snapshot {
  const { ids, shape, byUse } = settings
  const plan = planModule(lock)
  // A dev server serves all prompts in one request. A build prints and parses only what is used.
  const partOf = ({ prompts, ...others }: ModulePlan, part: number): ModulePlan => ({
    ...others,
    prompts: byUse ? prompts.slice(part, part + 1) : prompts,
  })
  const specifiers: PrintTarget = {
    all: ids.module({ kind: 'all' }),
    definitions: ({ index }) => ids.module({ kind: 'definitions', part: byUse ? index : 0 }),
    runtime: ids.module({ kind: 'runtime' }),
  }
  const print = (name: ImportedModule, prompts: NamedPrompts, parse: ParseModule): string => {
    const target = { ...specifiers, all: ids.module({ ...name, kind: 'all' }), parse }
    const printModule = name.kind === 'entry' ? printEntry : printAll
    const isForOne = name.kind === 'entry' && name.importer !== undefined
    return printModule(prompts, target, isForOne ? shape : 'namespace')
  }
  const printed = new Map<ImportedModule['kind'], string>()
  const printForAll = (kind: ImportedModule['kind'], parse: ParseModule): string => {
    const code = printed.get(kind) ?? print({ kind }, plan, parse)
    printed.set(kind, code)
    return code
  }
  let owners: ReadonlyMap<string, PlannedPrompt> | undefined
  const select = (names: ReadonlySet<string>): NamedPrompts =>
    selectPrompts((owners ??= promptsByName(plan)), names)
  return {
    lock,
    plan,
    code(name, { use, parse }) {
      if (name.kind === 'runtime') return runtime
      if (name.kind === 'definitions') {
        return printDefinitions(partOf(plan, name.part), { ...specifiers, parse })
      }
      return use === 'all' ? printForAll(name.kind, parse) : print(name, select(use), parse)
    },
    promptsIn: (name) =>
      name.kind === 'definitions'
        ? partOf(plan, name.part).prompts.map(({ prompt }) => prompt)
        : [],
    differs(name, old) {
      if (name.kind === 'runtime') return false
      if (name.kind !== 'definitions') return !haveSameNames(plan, old.plan)
      return !areSamePrompts(partOf(plan, name.part), partOf(old.plan, name.part))
    },
  }
}

function haveSameNames(one: ModulePlan, other: ModulePlan): boolean {
  return (
    one.prompts.length === other.prompts.length &&
    one.prompts.every(({ names }, index) => {
      const others = other.prompts[index]?.names
      return names.length === others?.length && names.every((name, place) => name === others[place])
    })
  )
}

function areSamePrompts(one: ModulePlan, other: ModulePlan): boolean {
  return (
    one.prompts.length === other.prompts.length &&
    one.prompts.every(({ prompt }, index) => isSamePrompt(prompt, other.prompts[index]?.prompt))
  )
}

function promptsByName({ prompts }: ModulePlan): Map<string, PlannedPrompt> {
  return new Map(prompts.flatMap((prompt) => prompt.names.map((name) => [name, prompt] as const)))
}

/** The prompts with at least one of the names, in the order of the lock, each under those names. */
function selectPrompts(
  owners: ReadonlyMap<string, PlannedPrompt>,
  used: ReadonlySet<string>,
): NamedPrompts {
  const found = new Set([...used].flatMap((name) => owners.get(name) ?? []))
  const selected = [...found].toSorted((a, b) => a.index - b.index)
  return {
    prompts: selected.map(({ index, names }) => ({
      index,
      names: names.filter((name) => used.has(name)),
    })),
  }
}
