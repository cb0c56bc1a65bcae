import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { GENERATED_BY } from '../core/generated.ts'
import type { LocateInLock } from '../core/lock/lock-lines.ts'
import { stripQuotes } from './declarations.ts'
import { literal } from './escape.ts'
import type { LockPlan, ModulePlan } from './plan-module.ts'

/** The lock that declarations are printed from. */
interface DeclaredSource {
  readonly plan: LockPlan
  /** Relative path from the declarations' folder to the lock, with forward slashes. */
  readonly path: string
  readonly lineOf: LocateInLock
}

/**
 * Prints the map with which go-to-definition on `prompts.supportTriage` opens the prompt's entry in the
 * lock. Other positions in the declarations are not mapped, so an editor stays in them.
 *
 * @param declarations - their text, possibly formatted
 * @param file - the name of their file
 */
export function printDeclarationMap(
  declarations: string,
  file: string,
  { plan, path, lineOf }: DeclaredSource,
): string {
  const map = {
    // The format reserves keys that begin with `x_` for extensions. First, so that it marks also a conflicted map.
    x_comment: `${GENERATED_BY}.`,
    version: 3,
    file,
    // TypeScript takes it for a path.
    sources: [path],
    names: [],
    mappings: encode(
      mapLines(declarations, linesByName(plan, lineOf), linesByName(plan.staging, lineOf)),
    ),
  }
  return `${JSON.stringify(map)}\n`
}

/** A property or an export with its name, which a formatter may print with other quotes or none. */
const DECLARATION =
  /^(\s*(?:readonly|export const) )("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{ID_Continue}$]+): (?:runtime\.Prompt<|Prompts\[)/u

const STAGING = /^declare module ["']virtual:[a-z\d-]+\/staging["']/

type LinesByName = ReadonlyMap<string | undefined, number | undefined>

/** Printed name without quotes → line of the prompt's entry in the lock. */
function linesByName({ prompts }: ModulePlan, lineOf: LocateInLock): LinesByName {
  return new Map(
    prompts.flatMap(({ names, head }) =>
      names.map((name) => [stripQuotes(literal(name)), lineOf(head)]),
    ),
  )
}

/** Doc comments contain remote text, but their lines begin with an asterisk. */
function mapLines(
  declarations: string,
  live: LinesByName,
  staging: LinesByName,
): SourceMapSegment[][] {
  let view = live
  return declarations.split('\n').map((line) => {
    if (STAGING.test(line)) view = staging
    const [, before = '', name] = DECLARATION.exec(line) ?? []
    const entry = view.get(name && stripQuotes(name))
    // A position without a mapping uses the next one, so every line begins with an empty mapping.
    if (name === undefined || entry === undefined) return line === '' ? [] : [[0]]
    const column = before.length
    return [[0], [column, 0, entry - 1, SLUG_COLUMN], [column + name.length]]
  })
}

/** After `      "slug": ` in the lock. */
const SLUG_COLUMN = 14
