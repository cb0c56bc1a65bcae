import type { Lock } from '../core/prompt.ts'
import { type ModulePlan, planModule } from '../emit/plan-module.ts'
import {
  type ModuleIds,
  type ModuleShape,
  type NamedPrompts,
  printAll,
  printDefinitions,
  printEntry,
} from '../emit/print-module.ts'
import type { PromptUse } from '../emit/prompt-use.ts'
import runtime from '../runtime/index.ts?text'
import type { ModuleName, WorkspaceIds } from './ids.ts'

/** A lock with the code that is served from it, printed on demand. */
export interface Snapshot {
  readonly lock: Lock
  readonly plan: ModulePlan
  /**
   * The code of a module.
   *
   * @param use - what the importer uses, where the module is for one importer
   * @throws PromptsError MODULE_REFUSED
   */
  readonly code: (name: ModuleName, use?: PromptUse) => string
}

/** What decides how a lock is served. */
export interface Serving {
  readonly ids: Pick<WorkspaceIds, 'module'>
  /** The bundler's name, as unplugin calls it. */
  readonly bundler: string
  /** Whether an importer gets what it uses; else every one gets the whole namespace. */
  readonly byUse: boolean
}

/** Plans a lock's modules; prints none yet. */
export function planSnapshot(lock: Lock, { ids: { module }, bundler, byUse }: Serving): Snapshot {
  const plan = planModule(lock)
  const shape = shapeFor(plan, bundler)
  const size = byUse ? partSize(lock.prompts.length) : WHOLE_PART
  const ids: ModuleIds = {
    all: module({ kind: 'all' }),
    definitions: ({ index }) => module({ kind: 'definitions', part: Math.floor(index / size) }),
    runtime: module({ kind: 'runtime' }),
  }
  const select = once(() => selector(plan))
  const whole = {
    entry: once(() => printEntry(plan, ids, shape)),
    all: once(() => printAll(plan, ids, shape)),
  }
  const code: Snapshot['code'] = (name, use = 'all') => {
    if (name.kind === 'runtime') return runtime
    if (name.kind === 'definitions') {
      const prompts = plan.prompts.slice(name.part * size, (name.part + 1) * size)
      return printDefinitions({ ...plan, prompts }, ids)
    }
    if (use === 'all') return whole[name.kind]()
    const print = name.kind === 'entry' ? printEntry : printAll
    return print(select()(use), { ...ids, all: module({ ...name, kind: 'all' }) }, shape)
  }
  return { lock, plan, code }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Finds prompts by their names without a look at all others. */
function selector({ prompts }: ModulePlan): (used: ReadonlySet<string>) => NamedPrompts {
  const owners = new Map(prompts.flatMap((prompt) => prompt.names.map((name) => [name, prompt])))
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
 * How many modules the definitions are spread over at most. Measured with 10,000 prompts: 1,000
 * modules double the time of a build that needs all of them, and 100 make one that uses 50 read
 * most of the others.
 */
const PARTS = 250

/** Prompts in one module where all are needed anyway: a dev server's browser fetches each module. */
const WHOLE_PART = 1_000

/**
 * Prompts in one module of definitions: one, so that chunks of the app share no more than they
 * use; more where the workspace is so large that bundlers would choke on the modules.
 */
function partSize(prompts: number): number {
  return Math.max(1, Math.ceil(prompts / PARTS))
}

/**
 * Farm 1.7 aborts at export names that are no identifiers, and Rspack 2 and webpack 5 lose one
 * that is called `__proto__`.
 */
function shapeFor({ prompts }: ModulePlan, bundler: string): ModuleShape {
  const unsafe = prompts.some(({ names }) => names.includes('__proto__'))
  return bundler === 'farm' || unsafe ? 'object' : 'namespace'
}
