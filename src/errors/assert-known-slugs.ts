import { PromptsError } from './prompts-error.ts'

interface HasSlug {
  readonly slug: string
}

interface SlugSearch {
  /** What has the prompts, as the error names it. */
  readonly where: string
  /** The prompts that may be named. */
  readonly prompts: readonly HasSlug[]
  /** More prompts that the error may suggest. Default: none. */
  readonly listed?: readonly HasSlug[]
}

export function assertKnownSlugs(slugs: readonly string[] = [], search: SlugSearch): void {
  const names = new Set(search.prompts.map(({ slug }) => slug))
  const unknown = slugs.filter((slug) => !names.has(slug))
  if (unknown.length > 0) throw slugUnknown(unknown, search)
}

/**
 * The prompt with a slug.
 *
 * @param where - what has the prompts, as the error names it
 */
export function findKnownPrompt<Prompt extends HasSlug>(
  slug: string,
  prompts: readonly Prompt[],
  where: string,
): Prompt {
  const match = prompts.find((prompt) => prompt.slug === slug)
  if (match === undefined) throw slugUnknown([slug], { where, prompts })
  return match
}

function slugUnknown(
  slugs: readonly string[],
  { where, prompts, listed = [] }: SlugSearch,
): PromptsError {
  const known = [...new Set([...prompts, ...listed].map(({ slug }) => slug))]
  return new PromptsError('SLUG_UNKNOWN', { slugs, where, known })
}
