import { slugsByName } from '../codegen/plan-module.ts'
import type { Certainty, Place } from '../core/impact.ts'
import type { Lock } from '../core/prompt.ts'
import { compareCodePoints } from '../core/text/order.ts'
import { relativePath } from '../fs/paths.ts'
import type { App, AppPart } from './app.ts'
import type { ts } from './compiler.ts'
import { typedUses } from './find-uses.ts'
import { withImporters } from './module-graph.ts'
import { joinNotChecked, partNotChecked, type PartNotChecked } from './not-checked.ts'
import { placeAt, sortPlaces, withCode } from './place.ts'
import { remember } from './prompt-code.ts'

/** A use of a prompt. */
export interface UsageSite extends Place {
  readonly slug: string
  readonly kind: Certainty
}

/** One pinned prompt and its uses. */
interface PromptUsage {
  readonly slug: string
  /** Sorted by file and position. */
  readonly sites: readonly UsageSite[]
  /** The files that use it, and those that import them, directly or through others; sorted. */
  readonly files: readonly string[]
}

/** The uses of all prompts. */
export interface UsageReport {
  /** One per prompt of the lock, in its order. One without sites is unused, unless there are `escapes`. */
  readonly prompts: readonly PromptUsage[]
  /** Where each prompt may be used: all are passed on together, or a line that names some is not checked. */
  readonly escapes: readonly Place[]
}

/** Finds the uses of prompts in an app by their types, through aliases, re-exports and functions. */
export function analyseUsage({ root, parts, unknown }: App, lock: Lock): UsageReport {
  const results = parts.map((part) => partUsage(part, lock, root))
  const notChecked = joinNotChecked(unknown, results)
  const uses = [
    ...results.flatMap(({ typed }) => typed),
    ...notChecked.map(({ slugs, file, line, column }): PlacedUse => {
      const at = { file, line, column }
      return { slugs, kind: 'not-checked', at, importers: [file] }
    }),
  ]
  const named = uses.flatMap(({ slugs, kind, at }) => slugs.map((slug) => ({ slug, kind, ...at })))
  const sites = withCode(
    sortPlaces(named, ({ slug }) => slug),
    root,
  )
  const escapes = uses.filter(({ slugs }) => slugs.length === 0).map(({ at }) => at)
  const prompts = [...new Set(lock.parts.map(({ slug }) => slug))].map((slug) => {
    const users = uses.filter(({ slugs }) => slugs.includes(slug))
    const files = new Set(users.flatMap(({ importers }) => importers))
    return {
      slug,
      sites: sites.filter((site) => site.slug === slug),
      files: [...files].toSorted(compareCodePoints),
    }
  })
  return { prompts, escapes: withCode(sortPlaces(escapes), root) }
}

/** A use of some prompts, or of any if it names none. */
interface PlacedUse extends Pick<UsageSite, 'kind'> {
  readonly slugs: readonly string[]
  readonly at: Place
  /** The file and those that import it, directly or through others. */
  readonly importers: readonly string[]
}

function partUsage(
  part: AppPart,
  lock: Lock,
  root: string,
): { readonly typed: PlacedUse[]; readonly notChecked: PartNotChecked } {
  const code = part.compile(lock)
  const importersOf = remember((file: ts.SourceFile) =>
    [...withImporters(code.graph, file)].map(({ fileName }) => relativePath(root, fileName)),
  )
  const typed = typedUses(code).map(({ node, slugs }): PlacedUse => {
    const file = node.getSourceFile()
    const at = placeAt(file, node.getStart(file), root)
    return { slugs, kind: 'compile', at, importers: importersOf(file) }
  })
  const search = { ...code, root, edits: new Map(), slugs: slugsByName(lock) }
  return { typed, notChecked: partNotChecked(search) }
}
