import { parseJsonString } from '../text/json-string.ts'

/** The lines of one prompt in the text of a lock, counted from 1. */
export interface EntryLines {
  readonly entry: number
  /** The lines of its fields, by name. */
  readonly fields: ReadonlyMap<string, number>
}

/** A key at the beginning of a line. Lines of text begin with a value. */
const FIELD = /^"(\w+)": *(.*)$/

/**
 * Finds the lines of the prompts in the text of a lock, for messages and editors. If another tool
 * printed the lock on one line, nothing is found.
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
