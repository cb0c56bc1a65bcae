import type { Program } from 'acorn'
import { collectUses, type UnclearReason, type UsedModule } from './collect-uses.ts'
import type { ModuleRequest } from './module-requests.ts'
import type { ParseModule } from '../../codegen/assert-only-data.ts'

/** The names that a module reads from `prompts`, or `all` if that is not certain. */
export type UsedNames = ReadonlySet<string> | 'all'

export interface UseAnalysis {
  /** What the module may read. */
  readonly use: UsedNames
  /** What it certainly reads, also beside a computed name. */
  readonly names: ReadonlySet<string>
  /** If one of these also resolves to the prompts, by an alias or a plugin, the use is not certain. */
  readonly requests: readonly ModuleRequest[]
  /** Why the use is not certain. */
  readonly unclear?: UnclearUse | undefined
}

export interface UnclearUse {
  readonly reason: UnclearReason | 'code not available' | 'not parsed' | 'second specifier'
  /** Line and column in the code, or the second specifier. */
  readonly at?: string | undefined
}

/** The analysis of a module that may read any name. */
export function anyUse(
  unclear: UnclearUse,
  { names, requests }: Pick<UseAnalysis, 'names' | 'requests'> = { names: new Set(), requests: [] },
): UseAnalysis {
  return { use: 'all', names, requests, unclear }
}

interface UseRequest extends UsedModule {
  /** Tried in order. */
  readonly parsers: readonly ParseModule[]
  /** Expressions that the bundler may insert later: the values of `define`. */
  readonly replacements?: readonly string[]
}

/** Finds the prompts that a module uses. The result is `all` if no parser accepts its code. */
export function findUsedNames(
  code: string,
  { parsers, replacements = [], ...module }: UseRequest,
): UseAnalysis {
  const program = parseFirst(code, parsers)
  const inserted = replacements.map((expression) => parseFirst(`(${expression})`, parsers))
  if (program === undefined || !inserted.every((expression) => expression !== undefined))
    return anyUse({ reason: 'not parsed' })
  const { unclear, ...uses } = collectUses(program, inserted, module)
  if (unclear === undefined) return { use: uses.names, ...uses }
  const { reason, node } = unclear
  return anyUse({ reason, at: node && positionAt(node.start, code) }, uses)
}

/** Parses code by the first parser that accepts it. */
function parseFirst(code: string, parsers: readonly ParseModule[]): Program | undefined {
  for (const parse of parsers) {
    try {
      return parse(code) as Program
    } catch {
      // The next one may accept it.
    }
  }
  return undefined
}

/** The line and column of an offset in code: `6:12`. */
export function positionAt(offset: number, code: string): string {
  const lines = code.slice(0, offset).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
