/** The prompts of the lock in a list, which each address can search. */
import type { JSX } from 'preact'
import { promptVariables } from '../../core/compare.ts'
import { findNotes } from '../../core/notes.ts'
import { isEdited, type PinnedPrompt } from '../../core/prompt.ts'
import { groupBySlug, indexBySlug } from '../../core/text/order.ts'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import { encodeSlug, promptPath } from '../addresses.ts'
import { type ListedPrompt, mayUse, type PageRow, type Shown } from '../shown.ts'
import { Pieces, useView } from './parts.tsx'

/** A prompt of the lock in the list. */
export interface Entry {
  readonly prompt: ListedPrompt
  /** What a visitor wants to know, the most urgent first: a word, and the label of its badge. */
  readonly marks: readonly (readonly [mark: string, label: string])[]
  /** The texts of its columns, by their names. */
  readonly cells: Readonly<Record<(typeof COLUMNS)[number], string>>
}

const COLUMNS = ['version', 'model', 'variables', 'use'] as const

/** The prompts of the lock, with what waits for them and the code that uses them. */
export function entriesOf({ prompts, changes, uses }: Shown): Entry[] {
  // Live rows are the first ones.
  const waiting = indexBySlug((changes?.rows ?? []).toReversed())
  const mayBeUsed = mayUse(uses)
  const sites = groupBySlug(uses?.sites ?? [])
  return prompts.toSorted(byPlace).map((prompt): Entry => {
    const row = waiting.get(prompt.slug)
    const parts = [prompt, prompt.staging ?? prompt]
    const notes = findNotes(prompt, 0).count
    const marks = [
      ['waiting', row && waitingLabel(row)],
      ['edited', parts.some(isEdited) && 'edited'],
      ['held', parts.some(({ held }) => held !== undefined) && 'held'],
      ['notes', notes > 0 && pluralize(notes, 'note')],
      ['staged', parts.some(({ environment }) => environment === 'test') && 'staged'],
    ] as const
    const { version, model, slug } = prompt
    const lines = new Set(sites.get(slug)?.map(({ file, line }) => `${file}:${line}`))
    const unnamed = mayBeUsed(prompt) ? '' : 'unused'
    const use = lines.size > 0 ? pluralize(lines.size, 'line') : unnamed
    return {
      prompt,
      marks: marks.flatMap(([mark, label]) => (label ? [[mark, label] as const] : [])),
      cells: { version, model, variables: `${promptVariables(prompt).length}`, use },
    }
  })
}

function waitingLabel({ kind, environment, version: { before, after } }: PageRow): string {
  const part = environment === 'test' ? 'staging ' : ''
  if (kind === 'removed') return `${part}removed`
  return part + (after === null || after === before ? 'update' : `→ ${makeVisible(after)}`)
}

/** Compares by folder and slug: an order that never depends on what is found out later. */
export function byPlace(one: PinnedPrompt, other: PinnedPrompt): number {
  return naturally(one.folder, other.folder) || naturally(one.slug, other.slug)
}

/** Compares names as people do: `team-2` before `team-10`. */
const naturally = new Intl.Collator('en', { numeric: true }).compare

/** The entries that an address lists: those with all of its words in their names, texts and marks. */
export function listedEntries(entries: readonly Entry[], query: URLSearchParams): Entry[] {
  const words = searchable(query.get('q') ?? '').split(' ')
  return entries.filter(({ marks, cells, prompt }) => {
    const { slug, folder, system, user } = prompt
    const { version, model, use } = cells
    const fields = [slug, folder, model, version, system, user, ...marks.flat(), use]
    const text = searchable(fields.join('\n'))
    return words.every((word) => text.includes(word))
  })
}

/** As the script of the page searches rows: what separates the words of names is a space. */
function searchable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[-_/\s]+/g, ' ')
    .trim()
}

/** What is searched, which stays on every link among prompts. */
export function withQuery(query: URLSearchParams): string {
  const search = query.get('q')
  return search ? `?${new URLSearchParams({ q: search }).toString()}` : ''
}

/** More rows are only searched: nobody scrolls so far. */
const MANY = 1000

const NONE_NAMED = 'No name has these words. Enter searches the texts, too.'

/** The prompts by folder, as far as an address searches them. */
export function PromptList(): JSX.Element {
  const view = useView()
  const all = entriesOf(view)
  const listed = listedEntries(all, view.query)
  const drawn = listed.slice(0, MANY)
  const folders = [...new Set(drawn.map(({ prompt }) => prompt.folder))]
  const isSearched = listed.length < all.length
  const count = `${formatCount(listed.length)} of ${pluralize(all.length, 'prompt')}`
  const results = listed.length === 0 ? 'No prompts found.' : count
  const openFolder = view.prompt?.folder
  return (
    <nav class="list" aria-label="Prompts" id="prompts">
      {isSearched && <p class="results dim small" role="status" children={results} />}
      <div class="cells heads small">
        {['prompt', ...COLUMNS].map((name) => (
          <span class={`cell ${name}`}>{name}</span>
        ))}
      </div>
      {folders.map((folder) => {
        const entries = drawn.filter(({ prompt }) => prompt.folder === folder)
        // Beside a prompt, only its own folder.
        const isOpen = isSearched || (openFolder ?? folder) === folder
        return (
          <details class="folder" open={isOpen} id={`folder-${encodeSlug(folder)}`}>
            <summary class="cluster small dim">
              <h2>{folder.trim() === '' ? 'No folder' : <Pieces text={folder} />}</h2>
              <span class="count" children={formatCount(entries.length)} />
            </summary>
            <ul class="rows">
              {entries.map((entry) => (
                <Row {...entry} />
              ))}
            </ul>
          </details>
        )
      })}
      <p class="results dim small" role="status" id="none" hidden children={NONE_NAMED} />
      {listed.length > MANY && <p class="results dim">{`The first ${formatCount(MANY)}.`}</p>}
    </nav>
  )
}

/** A link to a prompt. */
function Row({ prompt: { slug }, marks: [badge], cells }: Entry): JSX.Element {
  const { prompt, query } = useView()
  const path = promptPath(slug) + withQuery(query)
  const isOpen = prompt?.slug === slug ? 'page' : undefined
  return (
    <li class="row">
      <a class="cells" href={path} aria-current={isOpen}>
        <span class="cell prompt cluster">
          <span class="slug cut" children={<Pieces text={slug} />} />
          {badge && <span class={`badge ${badge[0]}`} children={badge[1]} />}
        </span>
        {COLUMNS.map((name) => (
          <span class={`cell cut dim small ${name}`} children={<Pieces text={cells[name]} />} />
        ))}
      </a>
    </li>
  )
}
