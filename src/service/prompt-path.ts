import { PromptsError } from '../errors/prompts-error.ts'
import { clip, type Mask } from './mask.ts'

/** Path of the list, relative to the base address. */
export const LIST_PATH = '/api/v1/prompts'

/** URL parsers and servers remove these segments, percent-encoded or not. */
const DOT_SEGMENTS = new Set(['.', '..'])

/** Octets. Servers and proxies need not accept longer paths (RFC 9110, section 4.1). */
const MAX_LENGTH = 8000

/**
 * Returns the path of one prompt, with its slug as one encoded segment. Do not pass it to a URL parser.
 *
 * @throws PromptsError SLUG_UNSAFE, TEXT_UNPAIRED_SURROGATE
 */
export function promptPath(slug: string, mask: Mask): string {
  if (DOT_SEGMENTS.has(slug)) throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${clip(JSON.stringify(slug), mask)}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  const path = `${LIST_PATH}/${encodeURIComponent(slug)}`
  if (path.length <= MAX_LENGTH) return path
  const slugs = [`${clip(slug, mask)}… (${slug.length} characters)`]
  throw new PromptsError('SLUG_UNSAFE', { slugs })
}
