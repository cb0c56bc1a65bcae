import { promptVariables } from '../../core/compare.ts'
import { findNotes, NOTE_MEANING } from '../../core/notes.ts'
import { isEdited } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import { type ListedPrompt, mayUse, type PageRow, rowsOf, type Shown } from '../shown.ts'

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

/** Sorts by folder and slug, the live part first. The order never depends on what is found out later. */
export function inOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => { readonly folder: string; readonly slug: string },
): Item[] {
  return items.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    return naturally(one.folder, other.folder) || naturally(one.slug, other.slug)
  })
}

/** The prompts of the lock, with what waits for them and the code that uses them. */
export function entriesOf({ prompts, changes, uses }: Shown): Entry[] {
  // Live rows are the first ones.
  const waiting = indexBySlug(rowsOf(changes).toReversed())
  const mayBeUsed = mayUse(uses)
  const lines = new Map<string, Set<string>>()
  for (const { slug, file, line } of uses?.kind === 'known' ? uses.sites : [])
    lines.set(slug, (lines.get(slug) ?? new Set()).add(`${file}:${line}`))
  const entries = prompts.map((prompt): Entry => {
    const row = waiting.get(prompt.slug)
    const sites = lines.get(prompt.slug)?.size ?? 0
    const isKnown = uses?.kind === 'known' && (sites > 0 || !mayBeUsed(prompt))
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
  return inOrder(entries, ({ prompt }) => prompt)
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

/** The entries that an address lists: those with a mark that contain a text in any of their fields. */
export function listedEntries(entries: readonly Entry[], query: URLSearchParams): Entry[] {
  const [mark, search] = [query.get('show'), (query.get('q') ?? '').trim().toLowerCase()]
  return entries.filter(({ marks, prompt }) => {
    const { slug, folder, model, version, system, user } = prompt
    const fields = [slug, folder, model, version, system, user]
    return (
      (!mark || marks.some((other) => other === mark)) &&
      fields.some((field) => field.toLowerCase().includes(search))
    )
  })
}
