import { splitLines } from '../text/lines.ts'
import { sortBySlug } from '../text/order.ts'
import { findJoin, type Lock, type PinnedPrompt } from '../prompt.ts'
import { parseJsonString } from '../text/json-string.ts'

/** The lines of one prompt in the text of a lock, counted from 1. */
export interface EntryLines {
  /** The line of its slug. */
  readonly entry: number
  /** The lines of its fields, by name. */
  readonly fields: ReadonlyMap<string, number>
}

/** A key at the beginning of a line. Lines of text begin with a value. */
const FIELD = /^"(\w+)": *(.*)$/

/**
 * Finds the lines of the prompts in the text of a lock, for messages. If another tool printed the lock
 * on one line, nothing is found.
 */
export function locateEntries(text: string): Map<string, EntryLines> {
  const entries = new Map<string, EntryLines>()
  let fields = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    const [, name, value = ''] = FIELD.exec(line.trim()) ?? []
    if (name === undefined) continue
    const slug = name === 'slug' ? parseJsonString(value.replace(/,$/, '')) : undefined
    if (slug !== undefined) {
      fields = new Map()
      entries.set(slug, { entry: index + 1, fields })
    }
    fields.set(name, index + 1)
  }
  return entries
}

/** The line of the first slug: after the opening lines of the lock and the entry. */
const FIRST_SLUG_LINE = 6

/** The lines that every entry has: braces, slug to version, join, integrity. */
const FIXED_LINES = 9

/** The lines of a hold: braces and reason. */
const HELD_LINES = 3

/**
 * Computes the line of each slug by counting the lines that would be printed.
 *
 * @returns slug → line, counted from 1
 */
export function slugLines(lock: Lock): Map<string, number> {
  const lines = new Map<string, number>()
  let line = FIRST_SLUG_LINE
  for (const prompt of sortBySlug(lock.prompts)) {
    lines.set(prompt.slug, line)
    line += countEntryLines(prompt)
  }
  return lines
}

function countEntryLines(prompt: PinnedPrompt): number {
  const { system, user, source, held } = prompt
  const sourceLines = findJoin(prompt) === undefined ? countTextLines(source) - 1 : 0
  const heldLines = held === undefined ? 0 : HELD_LINES
  return FIXED_LINES + countTextLines(system) + countTextLines(user) + sourceLines + heldLines
}

/** An empty array is on one line; otherwise its brackets have lines of their own. */
function countTextLines(text: string): number {
  const { length } = splitLines(text)
  return length === 0 ? 1 : length + 2
}
