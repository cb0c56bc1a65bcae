import { parseJsonString } from '../text/json-string.ts'
import { makeVisible } from '../text/sanitize.ts'

/** Whether two JSON texts are equal except for white space between tokens. */
export function isSameJson(one: string, other: string): boolean {
  return one === other || findFirstDifference(one, other) === undefined
}

const DOUBLE_QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Compares character by character: a regular expression overflows its stack on strings of megabytes,
 * and a list of tokens takes ten times as long.
 *
 * @returns the index of the first difference in each text
 */
function findFirstDifference(one: string, other: string): readonly [number, number] | undefined {
  let isInString = false
  for (let [i, j] = [0, 0]; ; i++, j++) {
    if (!isInString) {
      while (isWhiteSpace(one.charCodeAt(i))) i++
      while (isWhiteSpace(other.charCodeAt(j))) j++
    }
    if (i >= one.length && j >= other.length) return undefined
    const code = one.charCodeAt(i)
    if (code !== other.charCodeAt(j)) return [i, j]
    if (code === DOUBLE_QUOTE) isInString = !isInString
    if (code === BACKSLASH) {
      i++
      j++
      if (one.charCodeAt(i) !== other.charCodeAt(j)) return [i, j]
    }
  }
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/**
 * Describes the first difference between a JSON text and its canonical form, except in white space.
 *
 * @returns one line with the position; `undefined` if there is no difference
 */
export function describeDifference(text: string, canonical: string): string | undefined {
  const places = findFirstDifference(text, canonical)
  if (places === undefined) return undefined
  const duplicate = findDuplicateKey(text)
  if (duplicate !== undefined) {
    const [start, key] = duplicate
    return `${describePlace(text, start)}: duplicate key ${JSON.stringify(key)}`
  }
  const [found, expected] = places
  const excerpts = `expected ${excerpt(canonical, expected)}, found ${excerpt(text, found)}`
  return `${describePlace(text, found)}: ${excerpts}`
}

const EXCERPT = 12

function excerpt(text: string, start: number): string {
  const [line = ''] = text.slice(start, start + EXCERPT).split('\n')
  return makeVisible(line)
}

function describePlace(text: string, start: number): string {
  const before = text.slice(0, start)
  const line = before.split('\n').length
  const key = before.lastIndexOf('"slug":')
  const [, slug] = /^"slug":\s*(".*?[^\\]")/.exec(before.slice(key)) ?? []
  return slug === undefined ? `line ${line}` : `line ${line}, ${slug}`
}

/** Eight levels of tabs are as wide; a lock has four. */
const MAX_WIDTH = 64

/**
 * Describes white space between tokens that no formatter writes and that can hide what follows from a
 * reader: terminals go back to the beginning of a line at a lone carriage return.
 *
 * @returns one line with the position; `undefined` if there is none
 */
export function describeHidingSpace(text: string): string | undefined {
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) === DOUBLE_QUOTE) {
      at = endOfString(text, at)
      continue
    }
    const start = at
    while (isWhiteSpace(text.charCodeAt(at))) at++
    const problem = findHidingSpace(text.slice(start, at))
    if (problem !== undefined) return `${describePlace(text, start)}: ${problem}`
    if (at === start) at++
  }
  return undefined
}

function findHidingSpace(space: string): string | undefined {
  if (/\r(?!\n)/.test(space)) return 'a carriage return without a line feed'
  const lines = space.split('\n')
  if (lines.length > 3) return 'more than one empty line'
  const width = Math.max(...lines.map((line) => line.replaceAll('\t', ' '.repeat(8)).length))
  return width > MAX_WIDTH ? `more than ${MAX_WIDTH} spaces` : undefined
}

/** The first key that an object of a JSON text has twice, and where. */
function findDuplicateKey(text: string): readonly [start: number, key: string] | undefined {
  const objects: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') objects.push(new Set())
    if (text[at] === '}') objects.pop()
    if (text[at] !== '"') continue
    const end = endOfString(text, at)
    if (/^\s*:/.test(text.slice(end, end + LOOK_AHEAD))) {
      const key = parseJsonString(text.slice(at, end)) ?? ''
      if (objects.at(-1)?.has(key)) return [at, key]
      objects.at(-1)?.add(key)
    }
    at = end - 1
  }
  return undefined
}

/** Formatters print no more white space before a colon. */
const LOOK_AHEAD = 16

function endOfString(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) !== DOUBLE_QUOTE)
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1
  return end + 1
}
