import { isSamePrompt } from '../core/compare.ts'
import type { Lock } from '../core/prompt.ts'
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

/** A lock with the code that is served from it, printed on demand. */
export interface Snapshot {
  readonly lock: Lock
  readonly plan: ModulePlan
  /**
   * The code of a module.
   *
   * @throws PromptsError MODULE_REFUSED
   */
  readonly code: (name: ModuleName, asked: CodeRequest) => string
  /** Whether the code of a module may be another than in an older snapshot of the same serving. */
  readonly differs: (name: ModuleName, old: Pick<Snapshot, 'plan'>) => boolean
}

/** What is known where a module is asked for. */
export interface CodeRequest {
  /** What the importer uses, where the module is for one importer. */
  readonly use: UsedNames
  readonly parse: ParseModule
}

/** What decides how a lock is served. */
export interface SnapshotSettings {
  readonly ids: Pick<WorkspaceIds, 'module'>
  /** The bundler's name, as unplugin calls it. */
  readonly bundler: string
  /** Whether an importer gets what it uses; else every one gets the whole namespace. */
  readonly byUse: boolean
}

/** Plans a lock's modules; prints none yet. */
export function planSnapshot(
  lock: Lock,
  { ids: { module }, bundler, byUse }: SnapshotSettings,
): Snapshot {
  const plan = planModule(lock)
  const shape = shapeFor({ bundler, byUse: false })
  const size = byUse
    ? Math.max(1, Math.ceil(lock.prompts.length / MAX_DEFINITION_MODULES))
    : PROMPTS_PER_DEV_MODULE
  const ids: PrintTarget = {
    all: module({ kind: 'all' }),
    definitions: ({ index }) => module({ kind: 'definitions', part: Math.floor(index / size) }),
    runtime: module({ kind: 'runtime' }),
  }
  const select = once(() => selector(plan))
  const whole = {
    entry: once((target: PrintTarget) => printEntry(plan, target, shape)),
    all: once((target: PrintTarget) => printAll(plan, target, shape)),
  }
  const code: Snapshot['code'] = (name, { use, parse }) => {
    if (name.kind === 'runtime') return runtime
    const target = { ...ids, parse }
    if (name.kind === 'definitions') return printDefinitions(partOf(plan, name.part, size), target)
    if (use === 'all') return whole[name.kind](target)
    const used = select()(use)
    const own = { ...target, all: module({ ...name, kind: 'all' }) }
    return name.kind === 'entry'
      ? printEntry(used, own, shapeFor({ bundler, byUse: true }))
      : printAll(used, own, shape)
  }
  const differs: Snapshot['differs'] = (name, old) => {
    if (name.kind === 'runtime') return false
    if (name.kind !== 'definitions') return !haveSameNames(plan, old.plan)
    return !areSamePrompts(partOf(plan, name.part, size), partOf(old.plan, name.part, size))
  }
  return { lock, plan, code, differs }
}

/** A part of the definitions. */
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

/** Makes a value when it is first asked for, of what is given then. */
function once<Given extends unknown[], Value>(
  make: (...given: Given) => Value,
): (...given: Given) => Value {
  let made: { readonly value: Value } | undefined
  return (...given) => (made ??= { value: make(...given) }).value
}

/** Finds prompts by their names without a look at all others. */
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
 * How many modules the definitions are spread over at most where importers get what they use: one
 * for each prompt, so that a build prints, checks and parses nothing that nobody asked for, until
 * there are so many that a build which needs all of them chokes. Measured with 10,000 prompts: two
 * in each module take 1 to 3 per cent more time where 50 are used, and less than half of the time
 * in webpack where all are (46 s against 116 s; esbuild 4.3 s against 7.5 s); four save little more.
 */
const MAX_DEFINITION_MODULES = 5_000

/**
 * The same where every importer gets all: a browser fetches each module when it opens the page,
 * and again when one of its prompts changes. Measured with 1,000 prompts: smaller modules take the
 * page longer to open and no time off an update, one for all takes an update several times as long.
 */
const PROMPTS_PER_DEV_MODULE = 50

/**
 * Farm 1.7 aborts at export names that are no identifiers. esbuild never takes a namespace apart,
 * and adds a helper for it: for what one importer uses, an object is the shorter.
 */
function shapeFor({ bundler, byUse }: Pick<SnapshotSettings, 'bundler' | 'byUse'>): ModuleShape {
  return bundler === 'farm' || (bundler === 'esbuild' && byUse) ? 'object' : 'namespace'
}
