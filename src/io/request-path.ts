import { type Verdict, failed, settled } from './fault.ts'

/** Path of the list below the base address. */
export const LIST_PATH = '/api/v1/prompts'

/** URL parsers and servers fold these away, percent-encoded or not (FAULTS 39). */
const UNSAFE = new Set(['.', '..'])

/** The path of one prompt: its slug as one encoded segment, never put through a URL parser. */
export function promptPath(slug: string): Verdict<string> {
  if (UNSAFE.has(slug)) return failed('SLUG_UNSAFE', () => ({ slugs: [slug] }))
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${JSON.stringify(slug)}`]
    return failed('TEXT_UNPAIRED_SURROGATE', () => ({ problems }))
  }
  return settled(`${LIST_PATH}/${encodeURIComponent(slug)}`)
}
