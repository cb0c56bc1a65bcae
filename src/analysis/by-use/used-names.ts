import type { Program } from 'acorn'
import { collectUses, type UnclearReason } from './collect-uses.ts'
import type { ModuleRequest } from './module-requests.ts'
import type { ParseModule } from '../../codegen/assert-only-data.ts'

/** The names that a module reads from `prompts`, or `all` if that is not certain. */
export type UsedNames = ReadonlySet<string> | 'all'

export type UseAnalysis = NamedUse | UnclearUse

interface NamedUse {
  readonly use: ReadonlySet<string>
  /** If one of these also resolves to the prompts, by an alias or a plugin, the use is not certain. */
  readonly requests: readonly ModuleRequest[]
}

interface UnclearUse {
  readonly use: 'all'
  readonly reason: UnclearReason | 'code not available' | 'not parsed' | 'second specifier'
  /** Line and column in the code, or the second specifier. */
  readonly at?: string | undefined
}

interface UseRequest {
  /** The specifier of the prompts. */
  readonly id: string
  /** Tried in order. */
  readonly parsers: readonly ParseModule[]
  /** Expressions that the bundler may insert later: the values of `define`. */
  readonly replacements?: readonly string[]
}

/** Finds the prompts that a module uses. The result is `all` if no parser accepts its code. */
export function findUsedNames(
  code: string,
  { id, parsers, replacements = [] }: UseRequest,
): UseAnalysis {
  const program = parseFirst(code, parsers)
  const inserted = replacements.map((expression) => parseFirst(`(${expression})`, parsers))
  if (program === undefined || !inserted.every((expression) => expression !== undefined))
    return { use: 'all', reason: 'not parsed' }
  const uses = collectUses(program, inserted, id)
  if (!('reason' in uses)) return { use: uses.used, requests: uses.requests }
  const { reason, node } = uses
  return { use: 'all', reason, at: node && positionAt(node.start, code) }
}

/** Parses code by the first parser that accepts it. */
export function parseFirst(code: string, parsers: readonly ParseModule[]): Program | undefined {
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
