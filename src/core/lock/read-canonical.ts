import { isJoin, type PinnedPrompt } from '../prompt.ts'
import { hasInvisible, parseJsonString } from '../text/json-string.ts'
import { type ParsedEntries, parseEntry } from './parse-entries.ts'
import { printEntry, printOpening } from './print-lock.ts'
import { printFields } from './print-prompt.ts'
import type { LockEntry } from './read-entries.ts'

/**
 * Reads a text that is exactly as `printLock` prints it, as most locks are. The form of an entry is
 * checked in place: with 10,000 prompts, parsing and printing the whole lock to compare it takes
 * a third longer (529 ms instead of 400 in a new process).
 *
 * @param known - entries of an earlier text, which are not parsed again. Default: none
 * @returns `undefined` for any other text
 */
export function readCanonical(
  text: string,
  known: readonly LockEntry[] = [],
): ParsedEntries | undefined {
  const environment = (['live', 'test'] as const).find((each) => text.startsWith(opening(each)))
  if (environment === undefined || !text.endsWith(END)) return undefined
  const byLastLine = new Map(known.map((entry) => [printLastLine(entry), entry]))
  const texts = text.slice(opening(environment).length, -END.length).split(BETWEEN)
  const entries: LockEntry[] = []
  for (const each of texts) {
    const entry = findSame(each, byLastLine) ?? readEntry(each)
    if (entry === undefined) return undefined
    entries.push(entry)
  }
  return { kind: 'entries', environment, entries }
}

function opening(environment: ParsedEntries['environment']): string {
  return `${printOpening(environment)}[\n    {\n`
}

// Strings contain no raw line ends, so none of these is in one.
const BETWEEN = '\n    },\n    {\n'
const END = '\n    }\n  ]\n}\n'

function findSame(text: string, byLastLine: ReadonlyMap<string, LockEntry>): LockEntry | undefined {
  const entry = byLastLine.get(text.slice(text.lastIndexOf('\n') + 1))
  if (entry === undefined || text !== printEntry(entry)) return undefined
  // A slice of this text, so that the text of the whole earlier lock can be freed.
  return { ...entry, bytes: text.slice(0, entry.bytes.length) }
}

/** Reads an entry; the text is what is between its braces. */
function readEntry(text: string): LockEntry | undefined {
  const plain = readPlainEntry(text)
  if (plain !== undefined) return plain
  const entry = parseEntry(text)
  return entry !== undefined && text === printEntry(entry) ? entry : undefined
}

/** Prints the last line of an entry, its hash, by which it is found. */
function printLastLine({ integrity }: LockEntry): string {
  return printFields({ integrity })
}

/**
 * Escapes with more than one spelling, and the end of a line that looks like a line feed but is a
 * backslash and an `n`. A string without them and without invisible characters has only one spelling.
 */
const ESCAPE = /\\(?:[u/]|\\n")/

/**
 * Reads an entry without {@link ESCAPE}, invisible characters, hold and `source`.
 *
 * @param text - what is between its braces
 * @returns `undefined` for any other entry, and if it is not canonical
 */
export function readPlainEntry(text: string): LockEntry | undefined {
  if (ESCAPE.test(text) || hasInvisible(text)) return undefined
  const [head = '', ...parts] = cut(text, MARKS)
  const [system, user, join, integrity] = [readLines, readLines, readString, readString].map(
    (read, index) => read(parts[index] ?? ''),
  )
  const fields = readHead(head)
  if (fields === undefined || system === undefined || user === undefined) return undefined
  if (join === undefined || !isJoin(join) || integrity === undefined) return undefined
  return {
    prompt: { ...fields, system, user, source: `${system}${join}${user}` },
    integrity,
    bytes: text.slice(0, text.lastIndexOf(',\n')),
  }
}

const MARKS = ['system', 'user', 'join', 'integrity'].map((key) => `,\n      "${key}": `)

/** Cuts a text at the first of each mark, in turn. */
function cut(text: string, marks: readonly string[]): string[] {
  const parts: string[] = []
  let start = 0
  for (const mark of marks) {
    const end = text.indexOf(mark, start)
    if (end === -1) return []
    parts.push(text.slice(start, end))
    start = end + mark.length
  }
  return [...parts, text.slice(start)]
}

type Head = Pick<PinnedPrompt, 'slug' | 'folder' | 'model' | 'temperature' | 'version'>

const STRING = String.raw`"[^"\\\n]*"`
const HEAD = new RegExp(
  `^      "slug": ${STRING},\n      "folder": ${STRING},\n      "model": ${STRING},\n` +
    `      "temperature": ([-\\d]\\S*),\n      "version": ${STRING}$`,
)

/** Its strings have no escapes. */
function readHead(text: string): Head | undefined {
  const [, temperature] = HEAD.exec(text) ?? []
  if (temperature === undefined) return undefined
  try {
    const head = JSON.parse(`{${text}}`) as Head
    return String(head.temperature) === temperature ? head : undefined
  } catch {
    return undefined
  }
}

function readString(json: string): string | undefined {
  const text = parseJsonString(json)
  return JSON.stringify(text) === json ? text : undefined
}

/** Between two lines of a text, with the escape of the line feed that ends the first. */
const BREAK = '\\n",\n        "'
const [FIRST, LAST] = ['[\n        "', '"\n      ]']

/**
 * Reads an array of lines as one string, for which `JSON.parse` takes half of the time. A break is left
 * out after each line feed of the text, except at its end.
 */
function readLines(array: string): string | undefined {
  if (array === '[]') return ''
  if (!array.startsWith(FIRST) || !array.endsWith(LAST)) return undefined
  const lines = array.slice(FIRST.length - 1, 1 - LAST.length)
  const joined = lines.replaceAll(BREAK, '\\n')
  const text = parseJsonString(joined)
  if (text === undefined || text === '') return undefined
  const breaks = (lines.length - joined.length) / (BREAK.length - '\\n'.length)
  return breaks === countInnerLineFeeds(text) ? text : undefined
}

function countInnerLineFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; count++)
    at = text.indexOf('\n', at + 1)
  return count
}
