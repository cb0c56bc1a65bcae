import type { AnyNode, Program } from 'acorn'
import { collectUses, type UnclearReason } from './collect-uses.ts'
import type { ModuleRequest } from './module-requests.ts'
import type { ParseModule } from '../../codegen/parse-module.ts'

/** The names that a module reads from `prompts`, or `all` if that is not certain. */
export type UsedNames = ReadonlySet<string> | 'all'

/** What the code of a module says about its use of `prompts`. */
export type UseAnalysis = NamedUse | UnclearUse

interface NamedUse {
  readonly use: ReadonlySet<string>
  /** If one of these leads to the prompts too, by an alias or a plugin, the use is not certain. */
  readonly requests: readonly ModuleRequest[]
}

interface UnclearUse {
  readonly use: 'all'
  readonly reason: UnclearReason | 'code not available' | 'not parsed' | 'second specifier'
  /** Line and column in the code, or the second specifier. */
  readonly at?: string | undefined
}

/** What to know about a module beside its code. */
export interface UseRequest {
  /** The specifier that prompts are imported from. */
  readonly id: string
  /** Tried in order. */
  readonly parsers: readonly ParseModule[]
  /** Expressions that the bundler may still insert into the module: the values of its `define`. */
  readonly replacements?: readonly string[]
}

/** Finds the prompts that a module uses; all if no parser accepts its code. */
export function findUsedNames(
  code: string,
  { id, parsers, replacements = [] }: UseRequest,
): UseAnalysis {
  for (const parse of parsers) {
    const program = tryParse(parse, code)
    if (program === undefined) continue
    const inserted = replacements.map((expression) => tryParse(parse, `(${expression})`))
    if (!inserted.every((each) => each !== undefined)) break
    const found = collectUses(program, inserted, id)
    if (!('reason' in found)) return { use: found.used, requests: found.requests }
    const { reason, node } = found
    return { use: 'all', reason, at: node && positionOf(node, code) }
  }
  return { use: 'all', reason: 'not parsed' }
}

function tryParse(parse: ParseModule, code: string): Program | undefined {
  try {
    return parse(code) as Program
  } catch {
    return undefined
  }
}

function positionOf({ start }: AnyNode, code: string): string {
  const lines = code.slice(0, start).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

/** What several modules use together. */
export function mergeUsedNames(uses: readonly UsedNames[]): UsedNames {
  const names = new Set<string>()
  for (const use of uses) {
    if (use === 'all') return 'all'
    for (const name of use) names.add(name)
  }
  return names
}
