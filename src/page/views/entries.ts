import { promptVariables } from '../../core/compare.ts'
import { findNotes } from '../../core/notes.ts'
import { isEdited } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import { type ListedPrompt, mayUse, type PageRow, rowsOf, type Shown } from '../shown.ts'

/** A prompt of the lock in the list. */
export interface Entry {
  readonly prompt: ListedPrompt
  /** The number of variables. */
  readonly variables: number
  /** The number of lines that use it; `undefined` while that is not known. */
  readonly uses: number | undefined
  /** What a visitor wants to know, the most urgent first: a word, and the label of its badge. */
  readonly marks: readonly (readonly [mark: string, label: string])[]
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
    const notes = findNotes(prompt, 0).count
    const marks = [
      ['waiting', row && waitingLabel(row)],
      ['edited', parts.some(isEdited) && 'edited'],
      ['held', parts.some(({ held }) => held !== undefined) && 'held'],
      ['notes', notes > 0 && pluralize(notes, 'note')],
      ['staged', parts.some(({ environment }) => environment === 'test') && 'staged'],
    ] as const
    return {
      prompt,
      variables: promptVariables(prompt).length,
      uses: isKnown ? sites : undefined,
      marks: marks.flatMap(([mark, label]) => (label ? [[mark, label] as const] : [])),
    }
  })
  return inOrder(entries, ({ prompt }) => prompt)
}

function waitingLabel({ kind, version: { before, after } }: PageRow): string {
  if (kind === 'removed') return 'removed'
  return after === null || after === before ? 'update' : `→ ${makeVisible(after)}`
}

/** The entries that an address lists: those that contain a text in any of their fields, or have such a mark. */
export function listedEntries(entries: readonly Entry[], query: URLSearchParams): Entry[] {
  const search = (query.get('q') ?? '').trim().toLowerCase()
  return entries.filter(({ marks, uses, prompt }) => {
    const { slug, folder, model, version, system, user } = prompt
    const fields = [slug, folder, model, version, system, user, ...marks.flat(), usesLabel(uses)]
    return fields.some((field) => field.toLowerCase().includes(search))
  })
}

/** Empty while it is not known. */
export function usesLabel(uses: Entry['uses']): string {
  return uses === 0 ? 'unused' : `${uses ?? ''}`
}
