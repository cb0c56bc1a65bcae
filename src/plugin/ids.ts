import type { ModuleIds } from '../emit/print-module.ts'

/** The modules of this package, by the ids that code imports them by. */
export const PUBLIC_IDS = {
  entry: 'virtual:prompts',
  all: 'virtual:prompts/all',
  definitions: 'virtual:prompts/definitions',
  runtime: 'virtual:prompts/runtime',
} as const satisfies ModuleIds & { entry: string }

/** One of the modules of this package. */
export type PublicId = (typeof PUBLIC_IDS)[keyof typeof PUBLIC_IDS]

/** Rollup's sign for modules that no other plugin should look at. */
const MARK = '\0'

/** Finds imports of this package's modules, and of nothing else. */
export const IMPORT_PATTERN: RegExp = /^\0?virtual:prompts(?:\/|$)/

/** Finds the ids that {@link resolvedId} gives. */
export const RESOLVED_PATTERN: RegExp = /^\0virtual:prompts(?:\/|$)/

/** The id under which a bundler keeps a module. */
export function resolvedId(id: PublicId): string {
  return MARK + id
}

/** The module that an import or a resolved id means, or `undefined` where there is none. */
export function publicId(id: string): PublicId | undefined {
  const plain = id.startsWith(MARK) ? id.slice(MARK.length) : id
  return Object.values(PUBLIC_IDS).find((known) => known === plain)
}
