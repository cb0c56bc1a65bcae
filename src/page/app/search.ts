import { type Entry, naturally } from './entries.ts'
import { type Route, SEARCH } from './route.ts'

/** The columns of the list, which sort it. */
export const COLUMNS = ['prompt', 'folder', 'version', 'model', 'variables', 'use'] as const

type Column = (typeof COLUMNS)[number]

/** The text of an entry in a column. */
export function cellOf({ prompt, variables, uses }: Entry, column: Column): string {
  if (column === 'prompt') return prompt.slug
  if (column === 'variables') return `${variables}`
  if (column !== 'use') return prompt[column]
  return uses === undefined ? '' : uses === 0 ? 'unused' : `${uses}`
}

/** The entries that a person has searched, filtered and sorted, as the URL says. */
export function listedEntries(
  entries: readonly Entry[],
  { settings }: Pick<Route, 'settings'>,
): readonly Entry[] {
  const mark = settings.get('show')
  const marked = entries.filter(({ marks }) => !mark || marks.some((other) => other === mark))
  const found = searchEntries(marked, settings.get(SEARCH) ?? '')
  const column = COLUMNS.find((name) => name === settings.get('sort')?.replace('-', ''))
  if (column === undefined) return found
  const sorted = found.toSorted((a, b) => naturally(cellOf(a, column), cellOf(b, column)))
  return settings.get('sort') === column ? sorted : sorted.toReversed()
}

/** The entries that contain a text, in the slug, folder, model, version or texts. */
export function searchEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const part = text.trim().toLowerCase()
  return entries.filter(({ prompt: { slug, folder, model, version, system, user } }) =>
    [slug, folder, model, version, system, user].some((field) =>
      field.toLowerCase().includes(part),
    ),
  )
}
