import { PromptsError } from '../errors/prompts-error.ts'
import { clip, type Mask } from './mask.ts'

/** Path of the list below the base address. */
export const LIST_PATH = '/api/v1/prompts'

/** URL parsers and servers fold these away, percent-encoded or not. */
const DOT_SEGMENTS = new Set(['.', '..'])

/** Octets. No longer ones need be taken by servers and proxies (RFC 9110, section 4.1). */
const MAX_LENGTH = 8000

/**
 * The path of one prompt: its slug as one encoded segment, never put through a URL parser.
 *
 * @throws PromptsError SLUG_UNSAFE, TEXT_UNPAIRED_SURROGATE
 */
export function promptPath(slug: string, mask: Mask): string {
  if (DOT_SEGMENTS.has(slug)) throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (slug.length > MAX_LENGTH) throw tooLong(slug, mask)
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${mask(JSON.stringify(slug))}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  const path = `${LIST_PATH}/${encodeURIComponent(slug)}`
  if (path.length > MAX_LENGTH) throw tooLong(slug, mask)
  return path
}

function tooLong(slug: string, mask: Mask): PromptsError {
  return new PromptsError('SLUG_UNSAFE', {
    slugs: [`${clip(slug, mask)}… (${slug.length} characters)`],
  })
}
