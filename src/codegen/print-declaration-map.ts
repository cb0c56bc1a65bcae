import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { GENERATED_BY } from '../core/generated.ts'
import { stripQuotes } from './declarations-text.ts'
import { literal } from './literal.ts'
import type { ModulePlan } from './plan-module.ts'

/** What a declaration map is made from. */
export interface DeclarationMapInput {
  readonly plan: ModulePlan
  /** The text of the declarations, as printed from the plan or as a formatter left it. */
  readonly declarations: string
  /** Their file's name. */
  readonly file: string
  /** The line of each slug in the lock, counted from 1. */
  readonly lines: ReadonlyMap<string, number>
  /** Way from the declarations' folder to the lock, with forward slashes. */
  readonly source: string
}

/**
 * The map that leads an editor from a prompt's name to its entry in the lock, where its text is:
 * go-to-definition on `prompts.supportTriage` lands there. Every other place of the declarations
 * is mapped to nothing, so that an editor stays in them.
 */
export function printDeclarationMap({
  plan,
  declarations,
  file,
  lines,
  source,
}: DeclarationMapInput): string {
  const mappings = encode(mapLines(declarations, slugsByName(plan), lines))
  const sources = [encodeURI(source)]
  // The format reserves keys that begin with `x_` for extensions.
  const map = { version: 3, x_comment: `${GENERATED_BY}.`, file, sources, names: [], mappings }
  return `${JSON.stringify(map)}\n`
}

/** A property or an export with its name, which a formatter may print in other quotes, or in none. */
const DECLARATION =
  /^\s*(?:readonly|export const) ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{ID_Continue}$]+): (?:runtime\.Prompt<|Prompts\[)/u

/** Printed name, without regard to its quotes → slug. */
function slugsByName({ prompts }: ModulePlan): Map<string, string> {
  return new Map(
    prompts.flatMap(({ names, prompt }) =>
      names.map((name) => [stripQuotes(literal(name)), prompt.slug]),
    ),
  )
}

/** Lines of doc comments, which hold remote text, begin with an asterisk. */
function mapLines(
  declarations: string,
  slugs: ReadonlyMap<string, string>,
  lines: ReadonlyMap<string, number>,
): SourceMapSegment[][] {
  return declarations.split('\n').map((line) => {
    // Most lines are of doc comments, and this is told much faster than that they don't match.
    const [, name] = (/readonly |const /.test(line) && DECLARATION.exec(line)) || []
    const slug = name === undefined ? undefined : slugs.get(stripQuotes(name))
    const entry = slug === undefined ? undefined : lines.get(slug)
    // A place without a mapping takes the next one, so every line begins with one to nothing.
    if (name === undefined || entry === undefined) return line === '' ? [] : [[0]]
    const column = line.indexOf(name)
    return [[0], [column, 0, entry - 1, SLUG_COLUMN], [column + name.length]]
  })
}

/** Behind `      "slug": `, as the lock is printed. */
const SLUG_COLUMN = 14
