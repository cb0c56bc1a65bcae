/** Finds the entries in a text that is no lock: truncated, merged by hand, or with something else in it. */
import { isRecord } from '../schema.ts'
import { parseJsonString } from '../text/json-string.ts'
import { groupBySlug } from '../text/order.ts'
import { type LockPart, readValues } from './entry.ts'
import { findDuplicateKey, tokensOf } from './json-difference.ts'
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
  readonly text: string
  /** Their hashes may be wrong. `undefined` if the entry can't be read. */
  readonly parts: readonly LockPart[] | undefined
}

/** How an entry begins. In a string, its quotes would be escaped. */
const START = /\{\s*"slug"\s*:/g

const BEFORE = /^\s*\{\s*"lockVersion"\s*:\s*([1-9]\d*)\s*,\s*"prompts"\s*:\s*\[\s*$/
const AFTER = /^\s*\]\s*\}\s*$/

export function findEntries(original: string, digest: Digest): FoundEntries {
  const text = putFirst(original)
  const starts = [...text.matchAll(START)].map(({ index }) => index)
  const start = text.slice(0, starts[0] ?? text.indexOf(']'))
  const before = BEFORE.exec(start)
  const version = Number(before?.[1] ?? LOCK_VERSION)
  const entries: FoundEntry[] = []
  // What follows each entry; nothing if its end is not found.
  const gaps: string[] = []
  for (const [index, at] of starts.entries()) {
    const piece = text.slice(at, starts[index + 1])
    const end = endOfObject(piece)
    const entry = piece.slice(0, end)
    const slug = slugIn(entry)
    const parts = readValues(end === undefined ? `${entry}}` : entry, digest, version)
    if (slug !== undefined) entries.push({ slug, text: entry, parts })
    gaps.push(piece.slice(end ?? piece.length))
  }
  const last = gaps.pop() ?? text.slice(start.length)
  const isFramed = before !== null && AFTER.test(last) && entries.length === starts.length
  return {
    bySlug: groupBySlug(entries),
    isWhole: isFramed && gaps.every((gap) => gap.trim() === ','),
    isComplete: isFramed && gaps.every((gap) => /^[\s,]*$/.test(gap)),
  }
}

/** Prints a text that is JSON with the keys first that a lock begins with: a tool may have sorted them. */
function putFirst(text: string): string {
  try {
    const json: unknown = JSON.parse(text)
    if (findDuplicateKey(text) !== undefined) return text
    return JSON.stringify(json, (_, value: unknown) => {
      if (!isRecord(value)) return value
      const { lockVersion, prompts, slug } = value
      return { lockVersion, prompts, slug, ...value }
    })
  } catch {
    return text
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
