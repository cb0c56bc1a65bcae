import { createRequire } from 'node:module'
import type Picomatch from 'picomatch'
import type { Options } from './options.ts'

/** Whether a prompt is one that the app pins. */
export type PromptFilter = (entry: { readonly slug: string; readonly folder: string }) => boolean

/**
 * Slugs are not paths: a backslash is a plain character on every system, and `**` also matches a
 * line break in a name.
 */
const GLOB_RULES = { dot: true, windows: false, flags: 's' } as const

const require = createRequire(import.meta.url)

/** Creates the filter of the options `include` and `exclude`. */
export function createPromptFilter({
  include,
  exclude,
}: Pick<Options, 'include' | 'exclude'>): PromptFilter {
  const included = include === undefined ? (): boolean => true : matcher(include)
  const excluded = exclude === undefined ? (): boolean => false : matcher(exclude)
  return ({ slug, folder }) => {
    const names = folder === '' ? [slug] : [slug, `${folder}/${slug}`]
    return names.some((name) => included(name)) && !names.some((name) => excluded(name))
  }
}

/** Loads picomatch only if there are globs: its six files take a sixth of the plugin's load time. */
function matcher(patterns: string | readonly string[]): (name: string) => boolean {
  const picomatch = require('picomatch') as typeof Picomatch
  return picomatch(globs(patterns), GLOB_RULES)
}

/**
 * Parentheses are themselves, as in the name of a folder, unless they belong to a pattern such as
 * `@(a|b)`: picomatch takes them for a group, and would leave out nothing with `Drafts (old)/**`.
 */
function globs(patterns: string | readonly string[]): string[] {
  return [patterns].flat().map((glob) => glob.replaceAll(/(?<![\\!@*+?])\(/g, String.raw`\(`))
}
