import type { BadgeKind, Entry } from './entries.ts'

/** Prefixes that search one field. Words without a prefix search all fields. */
const FIELDS: Readonly<Record<string, (entry: Entry) => readonly string[]>> = {
  model: ({ prompt }) => [prompt.model],
  folder: ({ prompt }) => [prompt.folder],
  var: ({ prompt }) => prompt.variables,
  version: ({ prompt }) => [prompt.version],
}

/**
 * The entries that match every word of a query. `model:`, `folder:`, `var:` and `version:` search
 * one field, `is:` searches for a badge, such as `is:update`.
 */
export function searchEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const tests = query.toLowerCase().split(/\s+/).filter(Boolean).map(testOf)
  if (tests.length === 0) return entries
  return entries.filter((entry) => tests.every((matches) => matches(entry)))
}

function testOf(word: string): (entry: Entry) => boolean {
  const [name = '', ...rest] = word.split(':')
  const wanted = rest.join(':')
  if (name === 'is' && wanted !== '') {
    return ({ badges }) => badges.some(({ kind }) => (kind satisfies BadgeKind).startsWith(wanted))
  }
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field === undefined || wanted === '') return ({ haystack }) => haystack.includes(word)
  return (entry) => field(entry).some((value) => value.toLowerCase().includes(wanted))
}
