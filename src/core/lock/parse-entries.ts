import type { Environment } from '../prompt.ts'
import { findConflictMarker } from './conflict.ts'
import { isRecord } from '../schema.ts'
import { checkShape } from './lock-shape.ts'
import { LOCK_VERSION, printOpening } from './print-lock.ts'
import { type LockEntry, readEntries } from './read-entries.ts'
import { describeDifference, describeHidingSpace } from './json-difference.ts'

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

/** Why a text can't be read. */
export interface FoundFault {
  readonly kind: 'fault'
  readonly fault: LockFault
  readonly cause?: unknown
}

/** Creates the result for a text that can't be read. */
export function fault(found: LockFault, cause?: unknown): FoundFault {
  return { kind: 'fault', fault: found, cause }
}

/** The same for a text that is not a valid lock. */
export function invalid(problems: readonly string[]): FoundFault {
  return fault({ code: 'LOCK_INVALID', details: { problems } })
}

/** The entries of a text in the form of a lock. */
export interface ParsedEntries {
  readonly kind: 'entries'
  readonly environment: Environment
  /** In the order of the text; hashes and order are not checked. */
  readonly entries: readonly LockEntry[]
}

/**
 * Parses a text that is canonical except for white space. Does not check integrity, order and
 * duplicates.
 */
export function parseEntries(text: string): ParsedEntries | FoundFault {
  const json = parseJson(text)
  if (json.kind === 'fault') return json
  const version = isRecord(json.value) ? json.value['lockVersion'] : undefined
  if (isTooNew(version)) return tooNew(version)
  const shape = checkShape(json.value)
  if (shape.kind === 'invalid') return invalid(shape.problems)
  const { entries, canonical } = readEntries(shape.value)
  const difference =
    text === canonical
      ? undefined
      : (describeDifference(text, canonical) ?? describeHidingSpace(text))
  if (difference !== undefined) return invalid([difference])
  return { kind: 'entries', environment: shape.value.environment, entries }
}

/** The same for the fields of one entry, without its braces; `undefined` if they are not valid. */
export function parseEntry(fields: string): LockEntry | undefined {
  const read = parseEntries(`${printOpening('live')}[{${fields}}]}`)
  return read.kind === 'entries' ? read.entries[0] : undefined
}

function isTooNew(version: unknown): version is number {
  return typeof version === 'number' && version > LOCK_VERSION
}

function tooNew(version: number): FoundFault {
  return fault({ code: 'LOCK_TOO_NEW', details: { found: `${version}`, known: LOCK_VERSION } })
}

function parseJson(text: string): { kind: 'json'; value: unknown } | FoundFault {
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

function findVersions(text: string): number[] {
  return [...text.matchAll(/"lockVersion": *(\d+)/g)].map(([, version]) => Number(version))
}
