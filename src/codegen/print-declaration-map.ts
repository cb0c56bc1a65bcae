import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { GENERATED_BY } from '../core/generated.ts'
import type { EntryLines } from '../core/lock/lock-lines.ts'
import { stripQuotes } from './declarations.ts'
import { literal } from './escape.ts'
import type { ModulePlan } from './plan-module.ts'

/** Input of {@link printDeclarationMap}. */
export interface DeclarationMapInput {
  readonly plan: ModulePlan
  /** The text of the declarations, possibly formatted. */
  readonly declarations: string
  /** The name of their file. */
  readonly file: string
  /** The lines of each slug in the lock. */
  readonly entries: ReadonlyMap<string, Pick<EntryLines, 'entry'>>
  /** Relative path from the declarations' folder to the lock, with forward slashes. */
  readonly source: string
}

/**
 * Prints the map with which go-to-definition on `prompts.supportTriage` opens the prompt's entry in the
 * lock. Other positions in the declarations are not mapped, so an editor stays in them.
 */
export function printDeclarationMap({
  plan,
  declarations,
  file,
  entries,
  source,
}: DeclarationMapInput): string {
  const mappings = encode(mapLines(declarations, slugsByName(plan), entries))
  const sources = [encodeURI(source)]
  // The format reserves keys that begin with `x_` for extensions.
  const map = { version: 3, x_comment: `${GENERATED_BY}.`, file, sources, names: [], mappings }
  return `${JSON.stringify(map)}\n`
}

/** A property or an export with its name, which a formatter may print with other quotes or none. */
const DECLARATION =
  /^\s*(?:readonly|export const) ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{ID_Continue}$]+): (?:runtime\.Prompt<|Prompts\[)/u

/** Printed name without quotes → slug. */
function slugsByName({ prompts }: ModulePlan): Map<string, string> {
  return new Map(
    prompts.flatMap(({ names, prompt }) =>
      names.map((name) => [stripQuotes(literal(name)), prompt.slug]),
    ),
  )
}

/** Doc comments contain remote text, but their lines begin with an asterisk. */
function mapLines(
  declarations: string,
  slugs: ReadonlyMap<string, string>,
  entries: DeclarationMapInput['entries'],
): SourceMapSegment[][] {
  return declarations.split('\n').map((line) => {
    // Most lines are doc comments; the first expression skips them much faster.
    const [, name] = (/readonly |const /.test(line) && DECLARATION.exec(line)) || []
    const slug = name === undefined ? undefined : slugs.get(stripQuotes(name))
    const entry = slug === undefined ? undefined : entries.get(slug)?.entry
    // A position without a mapping uses the next one, so every line begins with an empty mapping.
    if (name === undefined || entry === undefined) return line === '' ? [] : [[0]]
    const column = line.indexOf(name)
    return [[0], [column, 0, entry - 1, SLUG_COLUMN], [column + name.length]]
  })
}

/** After `      "slug": ` in the lock. */
const SLUG_COLUMN = 14
