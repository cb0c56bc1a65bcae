/** Reads a text that is not a printed lock: another tool printed it, or it is faulty. */
import * as v from 'valibot'
import type { PartId } from '../prompt.ts'
import { exactObject, findProblems, isRecord, printPath, type SchemaProblem } from '../schema.ts'
import { findConflictMarker } from './conflict.ts'
import { entrySchema, readEntry } from './entry.ts'
import { findEntries } from './find-entries.ts'
import { describeDifference, describeHidingSpace, placeIn } from './json-difference.ts'
import { locateParts } from './lock-lines.ts'
import { LOCK_VERSION, printEntries } from './print-lock.ts'

/** Why a text is not a valid lock: an error code and its details. */
export type LockFault =
  | { readonly code: 'LOCK_CONFLICTED'; readonly details: { readonly line: number } }
  | {
      readonly code: 'LOCK_SYNTAX'
      readonly details: { readonly line: number; readonly slug: string | undefined }
    }
  | {
      readonly code: 'LOCK_TOO_NEW'
      readonly details: { readonly found: string; readonly known: number }
    }
  | { readonly code: 'LOCK_INVALID'; readonly details: { readonly problems: readonly string[] } }
  | {
      readonly code: 'LOCK_DUPLICATE' | 'LOCK_UNSORTED' | 'LOCK_EDITED'
      readonly details: { readonly slugs: readonly string[] }
    }

export interface FaultyLock {
  readonly kind: 'fault'
  readonly fault: LockFault
  /** The parts of LOCK_EDITED. */
  readonly parts?: readonly PartId[]
  readonly cause?: unknown
}

export function faulty(fault: LockFault, cause?: unknown): FaultyLock {
  return { kind: 'fault', fault, cause }
}

export function invalid(problems: readonly string[]): FaultyLock {
  return faulty({ code: 'LOCK_INVALID', details: { problems } })
}

/**
 * Prints the lock of a text again, with the order and the hashes that the text has. It may differ from the text
 * only in white space. All problems of one kind are reported together.
 */
export function canonicalLock(text: string): string | FaultyLock {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    return explainSyntax(text, cause)
  }
  const found = isRecord(json) ? json['lockVersion'] : undefined
  if (isTooNew(found)) return tooNew(found)
  const version = Number.isInteger(found) && Number(found) >= 1 ? Number(found) : LOCK_VERSION
  const schema = exactObject(
    {
      lockVersion: v.literal(version, `${version}`),
      prompts: v.array(entrySchema(version), 'an array'),
    },
    'unknown key',
  )
  // Keys and types. Their order and form is left to the comparison with the canonical text.
  const result = v.safeParse(schema, json)
  if (!result.success)
    return invalid(findProblems(schema, json).map((problem) => describe(problem, json)))
  const { prompts } = result.output
  const empty = prompts.flatMap(({ slug, live, staging }) =>
    live === null && staging === undefined ? [`${slug}: neither a live nor a staging part`] : [],
  )
  if (empty.length > 0) return invalid(empty)
  // The hashes are those of the text.
  const entries = prompts.map((entry) => readEntry(entry, () => '', version).printed)
  const canonical = printEntries(entries, version)
  const difference = describeDifference(text, canonical) ?? describeHidingSpace(text)
  return difference === undefined ? canonical : invalid([difference])
}

function explainSyntax(text: string, cause: unknown): FaultyLock {
  const newer = findTooNew(text)
  if (newer !== undefined) return newer
  const line = findConflictMarker(text)
  if (line !== undefined) return faulty({ code: 'LOCK_CONFLICTED', details: { line } }, cause)
  return faulty({ code: 'LOCK_SYNTAX', details: placeOfSyntax(text, String(cause)) }, cause)
}

/** Node names no position if the text ends early, nor of an unexpected token, which it quotes with what is beside it. */
function placeOfSyntax(text: string, reason: string): ReturnType<typeof placeIn> {
  if (!reason.startsWith('SyntaxError: Unexpected token')) {
    const position = /\bat position (\d+)/.exec(reason)?.[1]
    return placeIn(text, Number(position ?? text.length))
  }
  const entries = [...findEntries(text, () => '').bySlug.values()].flat()
  const slug = entries.find(({ parts }) => parts === undefined)?.slug
  const line = slug === undefined ? undefined : locateParts(text)({ slug, environment: 'live' })
  return { line: line ?? 1, slug }
}

/** A pull overwrites a lock that is not valid JSON, but must not overwrite a newer one, nor a side that is one. */
export function findTooNew(text: string): FaultyLock | undefined {
  const versions = [...text.matchAll(/"lockVersion"\s*:\s*(\d+)/g)]
  const newest = Math.max(...versions.map(([, version]) => Number(version)))
  return isTooNew(newest) ? tooNew(newest) : undefined
}

function isTooNew(version: unknown): version is number {
  return typeof version === 'number' && version > LOCK_VERSION
}

function tooNew(version: number): FaultyLock {
  return faulty({ code: 'LOCK_TOO_NEW', details: { found: `${version}`, known: LOCK_VERSION } })
}

function describe({ path, text: problem }: SchemaProblem, lock: unknown): string {
  const [, index] = path
  const slug: unknown = Object(lock).prompts?.[index as number]?.slug
  const entry = printPath(path.slice(0, 2)) + (typeof slug === 'string' ? ` (${slug})` : '')
  return [entry, printPath(path.slice(2)), problem].filter((part) => part !== '').join(': ')
}
