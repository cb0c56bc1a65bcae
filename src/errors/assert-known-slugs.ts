import { PromptsError } from './prompts-error.ts'

interface HasSlug {
  readonly slug: string
}

/** Where slugs were looked for. */
export interface SlugSearch {
  /** What has the prompts, as the error names it. */
  readonly where: string
  /** The prompts that may be named. */
  readonly found: readonly HasSlug[]
  /** More prompts that the error may suggest. Default: none. */
  readonly listed?: readonly HasSlug[]
}

/** @throws PromptsError SLUG_UNKNOWN if a slug was not found */
export function assertKnownSlugs(
  slugs: readonly string[] = [],
  { where, found, listed = [] }: SlugSearch,
): void {
  const names = new Set(found.map(({ slug }) => slug))
  const unknown = slugs.filter((slug) => !names.has(slug))
  if (unknown.length > 0) throw slugUnknownError(unknown, where, [...found, ...listed])
}

function slugUnknownError(
  slugs: readonly string[],
  where: string,
  prompts: readonly HasSlug[],
): PromptsError {
  const known = [...new Set(prompts.map(({ slug }) => slug))]
  return new PromptsError('SLUG_UNKNOWN', { slugs, where, known })
}

/**
 * The prompt with a slug.
 *
 * @param where - what has the prompts, as the error names it
 * @throws PromptsError SLUG_UNKNOWN if there is none
 */
export function findKnownPrompt<Prompt extends HasSlug>(
  slug: string,
  found: readonly Prompt[],
  where: string,
): Prompt {
  const prompt = found.find((each) => each.slug === slug)
  if (prompt === undefined) throw slugUnknownError([slug], where, found)
  return prompt
}
