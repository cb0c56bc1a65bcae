import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { GENERATED_BY } from '../core/generated.ts'
import type { EntryLines } from '../core/lock/lock-lines.ts'
import { stripQuotes } from './declarations.ts'
import { literal } from './escape.ts'
import type { ModulePlan } from './plan-module.ts'

/** A lock that declarations are printed from. */
interface DeclaredSource {
  readonly plan: ModulePlan
  /** Relative path from the declarations' folder to the lock, with forward slashes. */
  readonly path: string
  /** The lines of each slug in the lock. */
  readonly entries: ReadonlyMap<string, Pick<EntryLines, 'entry'>>
}

/**
 * Prints the map with which go-to-definition on `prompts.supportTriage` opens the prompt's entry in the
 * lock. Other positions in the declarations are not mapped, so an editor stays in them.
 *
 * @param declarations - their text, possibly formatted
 * @param file - the name of their file
 * @param sources - the lock and, if the declarations have its module, the test lock
 */
export function printDeclarationMap(
  declarations: string,
  file: string,
  sources: readonly DeclaredSource[],
): string {
  const map = {
    version: 3,
    // The format reserves keys that begin with `x_` for extensions.
    x_comment: `${GENERATED_BY}.`,
    file,
    sources: sources.map(({ path }) => encodeURI(path)),
    names: [],
    mappings: encode(mapLines(declarations, sources.map(entriesByName))),
  }
  return `${JSON.stringify(map)}\n`
}

/** A property or an export with its name, which a formatter may print with other quotes or none. */
const DECLARATION =
  /^\s*(?:readonly|export const) ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{ID_Continue}$]+): (?:runtime\.Prompt<|(?:Prompts|Live)\[)/u

const STAGING = /^declare module ["']virtual:[a-z\d-]+\/staging["']/

/** Printed name without quotes → line of the prompt's entry in the lock. */
function entriesByName({ plan, entries }: DeclaredSource): Map<string, number | undefined> {
  return new Map(
    plan.prompts.flatMap(({ names, prompt }) =>
      names.map((name) => [stripQuotes(literal(name)), entries.get(prompt.slug)?.entry]),
    ),
  )
}

/** Doc comments contain remote text, but their lines begin with an asterisk. */
function mapLines(
  declarations: string,
  locks: readonly ReadonlyMap<string, number | undefined>[],
): SourceMapSegment[][] {
  let source = 0
  return declarations.split('\n').map((line) => {
    if (STAGING.test(line)) source = 1
    // Most lines are doc comments; the first expression skips them much faster.
    const [, name] = (/readonly |const /.test(line) && DECLARATION.exec(line)) || []
    const entry = name === undefined ? undefined : locks[source]?.get(stripQuotes(name))
    // A position without a mapping uses the next one, so every line begins with an empty mapping.
    if (name === undefined || entry === undefined) return line === '' ? [] : [[0]]
    const column = line.indexOf(name)
    return [[0], [column, source, entry - 1, SLUG_COLUMN], [column + name.length]]
  })
}

/** After `      "slug": ` in the lock. */
const SLUG_COLUMN = 14
