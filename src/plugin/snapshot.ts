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
import type { ParseModule } from '../codegen/parse-module.ts'
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
  /** The bundler's name, as unplugin calls it. */
  readonly bundler: string
  /** Whether each importer gets only what it uses. Otherwise all get every prompt. */
  readonly byUse: boolean
  /** Whether each prompt has its own module, so that bundlers report prompts as modules. */
  readonly isolated?: boolean
}

/** Plans the modules of a lock. Nothing is printed yet. */
export function planSnapshot(
  lock: Lock,
  { ids: { module }, bundler, byUse, isolated = false }: SnapshotSettings,
): Snapshot {
  const plan = planModule(lock)
  const shape = shapeFor({ bundler, byUse: false })
  const size = isolated ? 1 : promptsPerModule(lock, byUse)
  const ids: PrintTarget = {
    all: module({ kind: 'all' }),
    definitions: ({ index }) => module({ kind: 'definitions', part: Math.floor(index / size) }),
    runtime: module({ kind: 'runtime' }),
  }
  const select = once(() => selector(plan))
  const forAllPrompts = {
    entry: once((target: PrintTarget) => printEntry(plan, target, shape)),
    all: once((target: PrintTarget) => printAll(plan, target, shape)),
  }
  const code: Snapshot['code'] = (name, { use, parse }) => {
    if (name.kind === 'runtime') return runtime
    const target = { ...ids, parse }
    if (name.kind === 'definitions') return printDefinitions(partOf(plan, name.part, size), target)
    if (use === 'all') return forAllPrompts[name.kind](target)
    const used = select()(use)
    const forImporter = { ...target, all: module({ ...name, kind: 'all' }) }
    return name.kind === 'entry'
      ? printEntry(used, forImporter, shapeFor({ bundler, byUse: true }))
      : printAll(used, forImporter, shape)
  }
  const promptsIn: Snapshot['promptsIn'] = (name) =>
    name.kind === 'definitions'
      ? partOf(plan, name.part, size).prompts.map(({ prompt }) => prompt)
      : []
  const differs: Snapshot['differs'] = (name, old) => {
    if (name.kind === 'runtime') return false
    if (name.kind !== 'definitions') return !haveSameNames(plan, old.plan)
    return !areSamePrompts(partOf(plan, name.part, size), partOf(old.plan, name.part, size))
  }
  return { lock, plan, code, promptsIn, differs }
}

function promptsPerModule({ prompts }: Lock, byUse: boolean): number {
  return byUse
    ? Math.max(1, Math.ceil(prompts.length / MAX_DEFINITION_MODULES))
    : PROMPTS_PER_DEV_MODULE
}

function partOf(plan: ModulePlan, part: number, size: number): ModulePlan {
  return { ...plan, prompts: plan.prompts.slice(part * size, (part + 1) * size) }
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

/** Caches the result of the first call. */
function once<Given extends unknown[], Value>(
  make: (...given: Given) => Value,
): (...given: Given) => Value {
  let made: { readonly value: Value } | undefined
  return (...given) => (made ??= { value: make(...given) }).value
}

/** Creates a lookup of prompts by name. */
function selector({ prompts }: ModulePlan): (used: ReadonlySet<string>) => NamedPrompts {
  const owners = new Map<string, PlannedPrompt>()
  for (const prompt of prompts) for (const name of prompt.names) owners.set(name, prompt)
  return (used) => {
    const found = new Set([...used].flatMap((name) => owners.get(name) ?? []))
    const selected = [...found].toSorted((a, b) => a.index - b.index)
    return {
      prompts: selected.map(({ index, names }) => ({
        index,
        names: names.filter((name) => used.has(name)),
      })),
    }
  }
}

/**
 * The maximum number of definition modules in a build. Up to this number each prompt has its own,
 * so a build prints and parses only what is used. More modules slow builds down that use all
 * prompts. Measured with 10,000 prompts: two per module cost 1 to 3 percent if 50 are used, and
 * save more than half of the time in webpack if all are used (46 s instead of 116 s; esbuild 4.3 s
 * instead of 7.5 s). Four per module save little more.
 */
const MAX_DEFINITION_MODULES = 5_000

/**
 * Prompts per definition module in a dev server, where every importer gets all prompts. A browser
 * fetches each module when it opens the page and again when one of its prompts changes. Measured
 * with 1,000 prompts: smaller modules slow the page down and make no update faster; a single module
 * makes an update several times slower.
 */
const PROMPTS_PER_DEV_MODULE = 50

/**
 * Farm 1.7 aborts at export names that aren't identifiers. esbuild doesn't tree-shake a namespace
 * and adds a helper for it, so an object is shorter for one importer.
 */
function shapeFor({ bundler, byUse }: Pick<SnapshotSettings, 'bundler' | 'byUse'>): ModuleShape {
  return bundler === 'farm' || (bundler === 'esbuild' && byUse) ? 'object' : 'namespace'
}
