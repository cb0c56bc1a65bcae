import { relative } from 'node:path'
import { compareCodePoints } from '../../core/text/order.ts'
import type { Lock } from '../../core/prompt.ts'
import { planModule } from '../../codegen/plan-module.ts'
import { printDeclarations } from '../../codegen/print-declarations.ts'
import { sha256 } from '../../fs/digest.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { type AppLocation, type AppPart, openApp } from './app.ts'
import { clientFiles } from './client-code.ts'
import { collectUsage, type UsageKind } from './collect-usage.ts'
import type { ts } from './compiler.ts'
import { toSourceName } from './components.ts'
import { dependents, moduleGraph, withImporters } from './module-graph.ts'
import { promptTypes } from './prompt-types.ts'

/** An app and its lock. */
export interface UsageRequest extends AppLocation {
  readonly lock: Lock
}

/** A position in the app. */
export interface Place {
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number
}

/** A use of a prompt. */
export interface UsageSite extends Place {
  readonly slug: string
  readonly kind: UsageKind
  /**
   * The files from an entry of client code to this one, if known. `undefined` does not prove that the
   * code runs on the server only.
   */
  readonly client: readonly string[] | undefined
}

/** The uses of prompts in an app. */
export interface Usage {
  /** Sorted by file and position. */
  readonly sites: readonly UsageSite[]
  /** Where all prompts are passed on together, so that each may be used. */
  readonly escapes: readonly Place[]
  /** By slug: the files that use the prompt, and those that import them, directly or through others. */
  readonly files: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Finds the uses of prompts in an app by their types, through aliases, re-exports and functions.
 *
 * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
 */
export function analyseUsage({ lock, ...location }: UsageRequest): Usage {
  const style = { digest: sha256, name: location.name }
  const declarations = printDeclarations(planModule(lock), style)
  const { root, parts } = openApp(location)
  const usages = parts.map((part) => partUsage(part, declarations, root))
  return {
    sites: sorted(
      usages.flatMap(({ sites }) => sites),
      ({ slug }) => slug,
    ),
    escapes: sorted(
      usages.flatMap(({ escapes }) => escapes),
      () => '',
    ),
    files: merged(usages.map(({ files }) => files)),
  }
}

function partUsage(part: AppPart, declarations: string, root: string): Usage {
  const program = part.program(declarations)
  const source = program.getSourceFile(part.declarationsPath)
  if (source === undefined) return { sites: [], escapes: [], files: new Map() }
  const graph = moduleGraph(program)
  const types = promptTypes(program, part.declarationsPath)
  const client = clientFiles(graph, root)
  const usages = dependents(graph, source)
    .filter((file) => !part.excludedFiles.has(file.fileName))
    .map((file) => ({ file, ...collectUsage(file, program.getTypeChecker(), types) }))
  const users = usages.filter(({ uses }) => uses.length > 0)
  const files = users.map(({ file, uses }) => {
    const paths = [...withImporters(graph, file)].map(({ fileName }) => pathFrom(root, fileName))
    const slugs = uses.flatMap((use) => use.slugs)
    return new Map(slugs.map((slug) => [slug, new Set(paths)]))
  })
  return {
    files: merged(files),
    sites: usages.flatMap(({ file, uses }) => {
      const chain = client.get(file)?.map(({ fileName }) => pathFrom(root, fileName))
      return uses.flatMap(({ node, slugs, kind }) =>
        slugs.map((slug) => ({ slug, kind, ...placeOf(node, root), client: chain })),
      )
    }),
    escapes: usages.flatMap(({ escapes }) => escapes.map((node) => placeOf(node, root))),
  }
}

function merged(maps: readonly Usage['files'][]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>()
  for (const [slug, paths] of maps.flatMap((map) => [...map]))
    all.set(slug, new Set([...(all.get(slug) ?? []), ...paths]))
  return all
}

function placeOf(node: ts.Node, root: string): Place {
  const file = node.getSourceFile()
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file))
  return { file: pathFrom(root, file.fileName), line: line + 1, column: character + 1 }
}

function pathFrom(root: string, path: string): string {
  return toForwardSlashes(relative(root, toSourceName(path)))
}

/** Removes duplicates: several tsconfigs may include a file. */
function sorted<At extends Place>(places: readonly At[], distinguish: (place: At) => string): At[] {
  const unique = new Map(
    places.map((at) => [JSON.stringify([at.file, at.line, at.column, distinguish(at)]), at]),
  )
  return [...unique.values()].toSorted(
    (a, b) => compareCodePoints(a.file, b.file) || a.line - b.line || a.column - b.column,
  )
}
