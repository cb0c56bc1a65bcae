import { findDuplicates, sortBySlug } from '../text/order.ts'
import type { Lock } from '../prompt.ts'
import type { Digest } from './integrity.ts'
import { fault, type FoundFault, invalid, isIntact, parseEntries } from './parse-entries.ts'

/** A lock, or why the text is not one. */
export type ParsedLock =
  | {
      readonly kind: 'lock'
      /** Its prompts are sorted. */
      readonly lock: Lock
      /** The slugs in the order of the text if it is not sorted, as after a merge by hand. */
      readonly unsorted: readonly string[] | undefined
    }
  | FoundFault

/**
 * Parses a lock. The text must be what `printLock` prints, except for white space between tokens and
 * the order of entries. All problems of one kind are reported together.
 */
export function parseLock(text: string, digest: Digest): ParsedLock {
  const read = parseEntries(text)
  if (read.kind === 'fault') return read
  const { environment, entries } = read
  const slugs = entries.map(({ prompt }) => prompt.slug)
  const problems = findDuplicates(slugs).map((slug) => `duplicate slug ${slug}`)
  if (problems.length > 0) return invalid(problems)
  const edited = entries.filter((entry) => !isIntact(entry, digest))
  if (edited.length > 0)
    return fault({
      code: 'LOCK_EDITED',
      details: { slugs: edited.map(({ prompt }) => prompt.slug) },
    })
  const prompts = sortBySlug(entries.map(({ prompt }) => prompt))
  const isSorted = prompts.every(({ slug }, index) => slug === slugs[index])
  const lock = { environment, prompts }
  return { kind: 'lock', lock, unsorted: isSorted ? undefined : slugs }
}
