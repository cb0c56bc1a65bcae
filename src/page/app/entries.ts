import { promptVariables } from '../../core/compare.ts'
import { findNotes, NOTE_MEANING } from '../../core/notes.ts'
import { isEdited } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import {
  type ChangesView,
  type ListedPrompt,
  mayUse,
  type PageRow,
  rowsOf,
  type UsesView,
} from '../protocol.ts'
import { type Route, SEARCH } from './route.ts'

/** A prompt of the lock in the list. */
export interface Entry {
  readonly prompt: ListedPrompt
  /** The most urgent one. */
  readonly badge: Badge | undefined
  /** The number of variables. */
  readonly variables: number
  /** The number of lines that use it; `undefined` while that is not known. */
  readonly uses: number | undefined
  readonly marks: readonly Mark[]
}

/** What the list is filtered by. */
export const MARKS = ['waiting', 'held', 'edited', 'staged', 'unused'] as const

type Mark = (typeof MARKS)[number]

/** One badge. */
interface Badge {
  readonly kind: 'removed' | 'update' | 'edited' | 'held' | 'note'
  readonly label: string
  /** One sentence of explanation. */
  readonly title: string
}

/** Compares names as people do: `team-2` before `team-10`. */
const naturally = new Intl.Collator('en', { numeric: true }).compare

/** The prompts of the lock, by folder and slug, with what waits for them and the code that uses them. */
export function entriesOf(
  prompts: readonly ListedPrompt[],
  changes: ChangesView | undefined,
  uses: UsesView | undefined,
): Entry[] {
  // Live rows are the first ones.
  const waiting = indexBySlug(rowsOf(changes).toReversed())
  const mayBeUsed = mayUse(uses)
  const lines = new Map<string, Set<string>>()
  for (const { slug, file, line } of uses?.kind === 'analysed' ? uses.sites : [])
    lines.set(slug, (lines.get(slug) ?? new Set()).add(`${file}:${line}`))
  return prompts
    .map((prompt): Entry => {
      const row = waiting.get(prompt.slug)
      const sites = lines.get(prompt.slug)?.size ?? 0
      const isKnown = uses?.kind === 'analysed' && (sites > 0 || !mayBeUsed(prompt))
      const parts = [prompt, prompt.staging ?? prompt]
      const has: Readonly<Record<Mark, boolean>> = {
        waiting: row !== undefined,
        held: parts.some(({ held }) => held !== undefined),
        edited: parts.some(isEdited),
        staged: parts.some(({ environment }) => environment === 'test'),
        unused: isKnown && sites === 0,
      }
      return {
        prompt,
        badge: badgeOf(prompt, row),
        variables: promptVariables(prompt).length,
        uses: isKnown ? sites : undefined,
        marks: MARKS.filter((mark) => has[mark]),
      }
    })
    .toSorted(
      (a, b) =>
        naturally(a.prompt.folder, b.prompt.folder) || naturally(a.prompt.slug, b.prompt.slug),
    )
}

/** What happens to a prompt that was edited here and is released. */
export const RELEASED = 'The next pull brings the text of the service back.'

function badgeOf(prompt: ListedPrompt, row: PageRow | undefined): Badge | undefined {
  const { held, version } = prompt
  if (row?.kind === 'removed')
    return { kind: 'removed', label: 'removed', title: 'The service no longer has it.' }
  if (row !== undefined) {
    const { after } = row.version
    const label = after === null || after === version ? 'update' : `→ ${makeVisible(after)}`
    const where = row.environment === 'live' ? 'The service' : 'Staging'
    return { kind: 'update', label, title: `${where} has a different version.` }
  }
  if (held !== undefined || isEdited(prompt)) {
    const kind = isEdited(prompt) ? 'edited' : 'held'
    const title = held ? `No pull changes it: ${makeVisible(held.reason)}` : RELEASED
    return { kind, label: kind, title }
  }
  const { count } = findNotes(prompt, 0)
  if (count > 0) return { kind: 'note', label: pluralize(count, 'note'), title: `${NOTE_MEANING}.` }
  return undefined
}

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
