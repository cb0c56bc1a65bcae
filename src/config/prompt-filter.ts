import { createRequire } from 'node:module'
import type Picomatch from 'picomatch'
import type { Options } from './options.ts'

export type PromptFilter = (entry: { readonly slug: string; readonly folder: string }) => boolean

/**
 * Slugs are not paths: a backslash is a plain character on every system, and `**` also matches a
 * line break in a name.
 */
const GLOB_RULES = { dot: true, windows: false, flags: 's' } as const

const require = createRequire(import.meta.url)

/** Loads picomatch only if there are globs: its six files take a sixth of the plugin's load time. */
export function loadPicomatch(): typeof Picomatch {
  return require('picomatch') as typeof Picomatch
}

export function createPromptFilter(
  include: Options['include'],
  exclude?: Options['exclude'],
): PromptFilter {
  if (include === undefined && exclude === undefined) return () => true
  const included = include === undefined ? (): boolean => true : matcher(include)
  const excluded = exclude === undefined ? (): boolean => false : matcher(exclude)
  return ({ slug, folder }) => {
    const names = folder === '' ? [slug] : [slug, `${folder}/${slug}`]
    return names.some((name) => included(name)) && !names.some((name) => excluded(name))
  }
}

function matcher(patterns: string | readonly string[]): (name: string) => boolean {
  return loadPicomatch()([patterns].flat().map(escapeParentheses), GLOB_RULES)
}

/**
 * Escapes parentheses, except in patterns such as `@(a|b)`. picomatch would read them as a group, so
 * `Drafts (old)/**` would match nothing.
 */
export function escapeParentheses(glob: string): string {
  return glob.replaceAll(/(?<![\\!@*+?])\(/g, String.raw`\(`)
}
