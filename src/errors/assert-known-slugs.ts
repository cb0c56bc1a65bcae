import type { PartId } from '../core/prompt.ts'
import { PromptsError } from './prompts-error.ts'

interface HasSlug {
  readonly slug: string
}

interface SlugSearch {
  /** What is missing, such as `prompt in the workspace`. */
  readonly noun: string
  /** The prompts that may be named. */
  readonly prompts: readonly HasSlug[]
  /** More prompts that the error may suggest. Default: none. */
  readonly listed?: readonly HasSlug[]
  /** The parts of the lock, of which those of one environment may be named. */
  readonly parts?: readonly PartId[] | undefined
}

export function assertKnownSlugs(slugs: readonly string[] = [], search: SlugSearch): void {
  const names = new Set(search.prompts.map(({ slug }) => slug))
  const unknown = slugs.filter((slug) => !names.has(slug))
  if (unknown.length > 0) throw slugUnknown(unknown, search)
}

/**
 * The prompt with a slug.
 *
 * @param noun - what is missing, such as `live prompt in the lock`
 */
export function findKnownPrompt<Prompt extends HasSlug>(
  slug: string,
  prompts: readonly Prompt[],
  noun: string,
  parts?: readonly PartId[],
): Prompt {
  const match = prompts.find((prompt) => prompt.slug === slug)
  if (match === undefined) throw slugUnknown([slug], { noun, prompts, parts })
  return match
}

function slugUnknown(
  slugs: readonly string[],
  { noun, prompts, listed = [], parts }: SlugSearch,
): PromptsError {
  const [first, ...others] = slugs
  const pinned = others.length === 0 ? parts?.find(({ slug }) => slug === first) : undefined
  if (pinned) return new PromptsError('SLUG_UNKNOWN', { slugs, noun, pinned: pinned.environment })
  const known = [...new Set([...prompts, ...listed].map(({ slug }) => slug))]
  return new PromptsError('SLUG_UNKNOWN', { slugs, noun, known })
}
