import { sortBySlug } from '../text/order.ts'
import type { Environment, Lock } from '../prompt.ts'
import { findConflictMarker } from './conflict.ts'
import type { Digest } from './integrity.ts'
import { isRecord } from '../schema.ts'
import { checkShape } from './lock-shape.ts'
import { LOCK_VERSION } from './print-lock.ts'
import { isIntact, type LockEntry, readEntries } from './read-entries.ts'
import { describeDifference } from './json-difference.ts'

/** Why a text is not a valid lock: an error code and its details. */
export type LockFault =
  | { readonly code: 'LOCK_CONFLICTED'; readonly details: { readonly line: number } }
  | { readonly code: 'LOCK_SYNTAX'; readonly details: object }
  | {
      readonly code: 'LOCK_TOO_NEW'
      readonly details: { readonly found: string; readonly known: number }
    }
  | { readonly code: 'LOCK_INVALID'; readonly details: { readonly problems: readonly string[] } }
  | { readonly code: 'LOCK_EDITED'; readonly details: { readonly slugs: readonly string[] } }

/** A lock, or why the text is not one. */
export type ParsedLock =
  | {
      readonly kind: 'lock'
      /** Its prompts are sorted. */
      readonly lock: Lock
      /** The slugs in the order of the text if it is not sorted, as after a merge by hand. */
      readonly unsorted: readonly string[] | undefined
    }
  | { readonly kind: 'fault'; readonly fault: LockFault; readonly cause?: unknown }

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
  return { kind: 'lock', lock: { environment, prompts }, unsorted: isSorted ? undefined : slugs }
}

function findDuplicates(slugs: readonly string[]): string[] {
  const seen = new Set<string>()
  return slugs.filter((slug) => seen.size === seen.add(slug).size)
}

function fault(found: LockFault, cause?: unknown): ParsedLock & { kind: 'fault' } {
  return { kind: 'fault', fault: found, ...(cause === undefined ? {} : { cause }) }
}

function invalid(problems: readonly string[]): ParsedLock & { kind: 'fault' } {
  return fault({ code: 'LOCK_INVALID', details: { problems } })
}

/** The entries of a text in the form of a lock. */
interface ParsedEntries {
  readonly kind: 'entries'
  readonly environment: Environment
  /** In the order of the text; hashes and order are not checked. */
  readonly entries: readonly LockEntry[]
}

/**
 * Parses a text that is canonical except for white space. Does not check integrity, order and
 * duplicates.
 */
export function parseEntries(text: string): ParsedEntries | (ParsedLock & { kind: 'fault' }) {
  const json = parseJson(text)
  if (json.kind === 'fault') return json
  const version = isRecord(json.value) ? json.value['lockVersion'] : undefined
  if (isTooNew(version)) return tooNew(version)
  const shape = checkShape(json.value)
  if (shape.kind === 'invalid') return invalid(shape.problems)
  const { entries, canonical } = readEntries(text, shape.value)
  const difference = text === canonical ? undefined : describeDifference(text, canonical)
  if (difference !== undefined) return invalid([difference])
  return { kind: 'entries', environment: shape.value.environment, entries }
}

function isTooNew(version: unknown): version is number {
  return typeof version === 'number' && version > LOCK_VERSION
}

function tooNew(version: number): ParsedLock & { kind: 'fault' } {
  return fault({ code: 'LOCK_TOO_NEW', details: { found: `${version}`, known: LOCK_VERSION } })
}

function parseJson(
  text: string,
): { kind: 'json'; value: unknown } | (ParsedLock & { kind: 'fault' }) {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (cause) {
    const line = findConflictMarker(text)
    if (line === undefined) return fault({ code: 'LOCK_SYNTAX', details: {} }, cause)
    // A pull overwrites a conflicted lock, but must not overwrite a newer one.
    const newest = Math.max(...findVersions(text))
    return isTooNew(newest)
      ? tooNew(newest)
      : fault({ code: 'LOCK_CONFLICTED', details: { line } }, cause)
  }
}

/** The lock versions on the sides of a conflict. */
function findVersions(text: string): number[] {
  return [...text.matchAll(/^\s*"lockVersion": *(\d+)/gm)].map(([, version]) => Number(version))
}
