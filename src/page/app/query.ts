import type { BadgeKind, Entry } from './entries.ts'

/** A search, parsed. All texts are in lower case. */
export interface Query {
  /** Each has to be found somewhere. */
  readonly words: readonly string[]
  /** Conditions on one field. All have to hold. */
  readonly conditions: readonly ((entry: Entry) => boolean)[]
}

/** Prefixes that search one field. Words without a prefix search all fields. */
const FIELDS: Readonly<Record<string, (entry: Entry) => readonly string[]>> = {
  model: ({ prompt }) => [prompt.model],
  folder: ({ prompt }) => [prompt.folder],
  var: ({ prompt }) => prompt.variables,
  version: ({ prompt }) => [prompt.version],
}

/** A word; it may contain a value in JSON quotes. */
const TERMS = /(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g

/**
 * Parses a search. `model:`, `folder:`, `var:` and `version:` search one field: the whole field if
 * the value is quoted. `is:` searches for a badge, such as `is:update`.
 */
export function parseQuery(text: string): Query {
  const words: string[] = []
  const conditions: ((entry: Entry) => boolean)[] = []
  for (const term of termsOf(text)) {
    const condition = conditionOf(term)
    if (condition === undefined) words.push(term.toLowerCase())
    else conditions.push(condition)
  }
  return { words, conditions }
}

function termsOf(text: string): readonly string[] {
  return text.match(TERMS) ?? []
}

function conditionOf(term: string): ((entry: Entry) => boolean) | undefined {
  const [name = '', ...rest] = term.split(':')
  const value = rest.join(':').toLowerCase()
  if (value === '') return undefined
  if (name === 'is') {
    return ({ badges }) => badges.some(({ kind }) => (kind satisfies BadgeKind).startsWith(value))
  }
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field === undefined) return undefined
  const whole = unquote(value)
  const fits = (found: string): boolean =>
    whole === undefined ? found.includes(value) : found === whole
  return (entry) => field(entry).some((found) => fits(found.toLowerCase()))
}

function unquote(value: string): string | undefined {
  try {
    const parsed: unknown = value.startsWith('"') ? JSON.parse(value) : undefined
    return typeof parsed === 'string' ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The fields that the page offers as filters. */
export type FilterField = 'folder' | 'model'

/** The term that finds exactly one value of a field. */
export function fieldTerm(field: FilterField, value: string): string {
  return `${field}:${JSON.stringify(value)}`
}

/** Whether a search has a term. */
export function hasTerm(query: string, term: string): boolean {
  return termsOf(query).includes(term)
}

/** A search with a term added, or removed if it has the term. */
export function toggleTerm(query: string, term: string): string {
  const terms = termsOf(query)
  return (terms.includes(term) ? terms.filter((known) => known !== term) : [...terms, term]).join(
    ' ',
  )
}

/** A search with the value of a field replaced. `undefined` removes it. */
export function withField(query: string, field: FilterField, value: string | undefined): string {
  const others = termsOf(query).filter((term) => !term.startsWith(`${field}:`))
  return [...others, ...(value === undefined ? [] : [fieldTerm(field, value)])].join(' ')
}
