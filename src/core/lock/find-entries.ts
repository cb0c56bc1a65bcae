/** Finds the entries in a text that is no lock: truncated, merged by hand, or with something else in it. */
import { parseJsonString } from '../text/json-string.ts'
import { groupBySlug } from '../text/order.ts'
import { type LockPart, readParts } from './entry.ts'
import { tokensOf } from './json-difference.ts'
import { type Digest, LOCK_VERSION } from './print-lock.ts'

export interface FoundEntries {
  /** Those whose slug can be read, in the order of the text. */
  readonly bySlug: ReadonlyMap<string, readonly FoundEntry[]>
  /** Whether there is nothing else in the text than what a lock has around its entries. */
  readonly isWhole: boolean
  /** Whether nothing is missing: after an early end, or between other text, there may have been more entries. */
  readonly isComplete: boolean
}

export interface FoundEntry {
  readonly slug: string
  /** Counted from 1. */
  readonly line: number
  readonly text: string
  /** Their hashes may be wrong. `undefined` if the entry can't be read. */
  readonly parts: readonly LockPart[] | undefined
}

/** How an entry begins. In a string, its quotes would be escaped. */
const START = /\{\s*"slug"\s*:/g

const BEFORE = /^\s*\{\s*"lockVersion"\s*:\s*([1-9]\d*)\s*,\s*"prompts"\s*:\s*\[\s*$/
const AFTER = /^\s*\]\s*\}\s*$/

export function findEntries(text: string, digest: Digest): FoundEntries {
  const starts = [...text.matchAll(START)].map(({ index }) => index)
  const before = BEFORE.exec(text.slice(0, starts[0]))
  const version = Math.min(Number(before?.[1] ?? LOCK_VERSION), LOCK_VERSION)
  const entries: FoundEntry[] = []
  // What follows each entry; nothing if its end is not found.
  const gaps: string[] = []
  let line = 1
  for (const [index, start] of starts.entries()) {
    line += countLineEnds(text.slice(starts[index - 1] ?? 0, start))
    const piece = text.slice(start, starts[index + 1])
    const end = endOfObject(piece)
    const entry = piece.slice(0, end)
    const parts = readParts(piece.slice(1, end && end - 1), digest, version)
    const slug = slugIn(entry)
    if (slug !== undefined) entries.push({ slug, line, text: entry, parts })
    gaps.push(piece.slice(end ?? piece.length))
  }
  const last = gaps.pop() ?? ''
  const isFramed = before !== null && AFTER.test(last) && entries.length === starts.length
  return {
    bySlug: groupBySlug(entries),
    isWhole: isFramed && gaps.every((gap) => /^\s*,\s*$/.test(gap)),
    isComplete: isFramed && gaps.every((gap) => /^[\s,]*$/.test(gap)),
  }
}

/** @returns `undefined` if it does not end */
function endOfObject(json: string): number | undefined {
  let depth = 0
  for (const { start, text } of tokensOf(json)) {
    if (text === '{') depth++
    if (text === '}' && --depth === 0) return start + 1
  }
  return undefined
}

function slugIn(entry: string): string | undefined {
  // What follows `{`, `"slug"` and `:`.
  const [, , , value] = tokensOf(entry)
  return value && parseJsonString(value.text)
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1
}
