/** Where one prompt stands in the text of a lock; lines are counted from 1. */
export interface EntryLines {
  /** The line of its slug. */
  readonly entry: number
  /** The lines of its fields, by name. */
  readonly fields: ReadonlyMap<string, number>
}

/** A key at the beginning of its line, as the lock is printed; lines of text begin with a value. */
const FIELD = /^\s*"(\w+)":\s*(.*?),?\s*$/

/**
 * Finds the prompts in the text of a lock, for messages that point there. It needs the form in
 * which locks are printed: where another tool has put the lock on one line, nothing is found.
 */
export function locateEntries(text: string): Map<string, EntryLines> {
  const entries = new Map<string, EntryLines>()
  let fields = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    const [, name, value = ''] = FIELD.exec(line) ?? []
    if (name === undefined) continue
    const slug = name === 'slug' ? parseString(value) : undefined
    if (slug !== undefined) {
      fields = new Map()
      entries.set(slug, { entry: index + 1, fields })
    }
    fields.set(name, index + 1)
  }
  return entries
}

function parseString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
