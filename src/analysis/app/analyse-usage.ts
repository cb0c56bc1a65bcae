import type { Lock } from '../../core/prompt.ts'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { type AppLocation, type AppPart, openApp } from './app.ts'
import { clientFiles } from './client-code.ts'
import { collectUsage, type UsageKind } from './collect-usage.ts'
import { dependents, moduleGraph, withImporters } from './module-graph.ts'
import { createImportFilter } from './prompt-modules.ts'
import { pathFrom, type Place, placeAt, sortPlaces } from './place.ts'
import { promptTypes } from './prompt-types.ts'

/** An app and its lock. */
export interface UsageRequest extends AppLocation {
  readonly lock: Lock
}

/** A use of a prompt. */
export interface UsageSite extends Place {
  readonly slug: string
  readonly kind: UsageKind
  /**
   * The files from an entry of client code to this one, if known. Without them, the code may still run
   * in a client.
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
  const plan = planModule(lock)
  const { root, parts } = openApp(location)
  const usages = parts.map((part) => partUsage(part, plan, root))
  return {
    sites: sortPlaces(
      usages.flatMap(({ sites }) => sites),
      ({ slug }) => slug,
    ),
    escapes: sortPlaces(usages.flatMap(({ escapes }) => escapes)),
    files: merged(usages.map(({ files }) => files)),
  }
}

function partUsage(part: AppPart, plan: ModulePlan, root: string): Usage {
  const program = part.program(plan)
  const declarations = part.declarations(program)
  const graph = moduleGraph(program)
  const types = promptTypes(program, declarations)
  const client = clientFiles(graph, part.root)
  const files = dependents(graph, declarations)
  const usages = files
    .filter((file) => !part.excludedFiles.has(file.fileName))
    .filter(createImportFilter({ program, types, dependents: files, declarations }))
    .map((file) => ({ file, ...collectUsage(file, program.getTypeChecker(), types) }))
  const users = usages.filter(({ uses }) => uses.length > 0)
  const filesOfSlugs = users.map(({ file, uses }) => {
    const paths = [...withImporters(graph, file)].map(({ fileName }) => pathFrom(root, fileName))
    const slugs = uses.flatMap((use) => use.slugs)
    return new Map(slugs.map((slug) => [slug, new Set(paths)]))
  })
  return {
    files: merged(filesOfSlugs),
    sites: usages.flatMap(({ file, uses }) => {
      const chain = client.get(file)?.map(({ fileName }) => pathFrom(root, fileName))
      return uses.flatMap(({ node, slugs, kind }) =>
        slugs.map((slug) => ({
          slug,
          kind,
          ...placeAt(file, node.getStart(file), root),
          client: chain,
        })),
      )
    }),
    escapes: usages.flatMap(({ file, escapes }) =>
      escapes.map((node) => placeAt(file, node.getStart(file), root)),
    ),
  }
}

function merged(maps: readonly Usage['files'][]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>()
  for (const [slug, paths] of maps.flatMap((map) => [...map]))
    all.set(slug, new Set([...(all.get(slug) ?? []), ...paths]))
  return all
}
