import { parseJsonString, printJsonString } from '../text/json-string.ts'
import { makeVisible } from '../text/sanitize.ts'

/** Whether two JSON texts are equal except for white space between tokens. */
export function isSameJson(one: string, other: string): boolean {
  return findFirstDifference(one, other) === undefined
}

/** A string, a sign, or a word between them, such as a number. Empty at the end of a JSON text. */
interface JsonToken {
  readonly start: number
  readonly text: string
}

/** Yields what a JSON text has besides white space. */
export function* tokensOf(json: string): Generator<JsonToken, undefined> {
  const visible = /[{}[\],:"]|[^ \t\r\n{}[\],:"]+/g
  for (let match = visible.exec(json); match !== null; match = visible.exec(json)) {
    const { 0: text, index: start } = match
    if (text === '"') visible.lastIndex = endOfString(json, start)
    yield { start, text: json.slice(start, visible.lastIndex) }
  }
  yield { start: json.length, text: '' }
  return undefined
}

/** A regular expression overflows its stack on strings of megabytes. */
function endOfString(json: string, start: number): number {
  let end = start + 1
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1
  return end + 1
}

function findFirstDifference(one: string, other: string): readonly [number, number] | undefined {
  const others = tokensOf(other)
  for (const token of tokensOf(one)) {
    const match = others.next().value ?? token
    if (match.text === token.text) continue
    let same = 0
    while (match.text[same] === token.text[same]) same++
    return [token.start + same, match.start + same]
  }
  return undefined
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
  if (duplicate !== undefined)
    return `${describePlace(text, duplicate.start)}: duplicate key ${duplicate.text}`
  const [found, expected] = places
  const excerpts = `expected ${excerpt(canonical, expected)}, found ${excerpt(text, found)}`
  return `${describePlace(text, found)}: ${excerpts}`
}

const EXCERPT = 12

function excerpt(text: string, start: number): string {
  return makeVisible(text.slice(start, start + EXCERPT).replace(/\n.*/s, ''))
}

function describePlace(text: string, start: number): string {
  const { line, slug } = placeIn(text, start)
  return slug === undefined ? `line ${line}` : `line ${line}, ${printJsonString(slug)}`
}

/** The line of a position, counted from 1, and the slug before it. */
export function placeIn(
  text: string,
  position: number,
): { line: number; slug: string | undefined } {
  const before = text.slice(0, position)
  const key = Math.max(before.lastIndexOf('"slug":'), 0)
  const slug = /"slug":\s*(".*?[^\\]")/.exec(before.slice(key))?.[1]
  return { line: before.split('\n').length, slug: slug && parseJsonString(slug) }
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
  let end = 0
  for (const token of tokensOf(text)) {
    const problem = findHidingSpace(text.slice(end, token.start))
    if (problem !== undefined) return `${describePlace(text, end)}: ${problem}`
    end = token.start + token.text.length
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

export function findDuplicateKey(json: string): JsonToken | undefined {
  const objects: Set<string | undefined>[] = []
  let last: JsonToken = { start: 0, text: '' }
  for (const token of tokensOf(json)) {
    if (token.text === '{') objects.push(new Set())
    if (token.text === '}') objects.pop()
    if (token.text === ':') {
      const key = parseJsonString(last.text)
      if (objects.at(-1)?.has(key)) return last
      objects.at(-1)?.add(key)
    }
    last = token
  }
  return undefined
}
