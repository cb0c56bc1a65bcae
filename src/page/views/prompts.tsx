import type { JSX } from 'preact'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { pathOf } from '../addresses.ts'
import { BADGES, entriesOf, type Entry, listedEntries, MARKS } from './entries.ts'
import { Pieces } from './pieces.tsx'
import { useView } from './view.ts'

/** All prompts, with what a visitor wants to know: what waits, is held, edited, staged, unused. */
export function PromptsPage(): JSX.Element {
  const view = useView()
  const all = entriesOf(view)
  const options = MARKS.flatMap((mark) => {
    const { length } = all.filter(({ marks }) => marks.has(mark))
    return length === 0 ? [] : { value: mark, label: `${formatCount(length)} ${mark}` }
  })
  return (
    <article class="page stack">
      <header>
        <h1>{pluralize(all.length, 'prompt')} pinned</h1>
        <p class="dim">
          In <code>{view.lockPath}</code>. Press <kbd>/</kbd> to search slugs and texts.
        </p>
      </header>
      <Filter
        label="Which prompts are listed"
        options={[{ value: '', label: 'All' }, ...options]}
      />
      <PromptList />
    </article>
  )
}

interface FilterProps {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** A choice among a few options side by side, each an address. */
export function Filter({ label, options }: FilterProps): JSX.Element {
  const { query } = useView()
  const chosen = query.get('show') ?? ''
  return (
    <nav class="choice" aria-label={label}>
      {options.map(({ value, label: text }) => (
        <a href={withQuery(query, value) || '?'} aria-current={value === chosen}>
          {text}
        </a>
      ))}
    </nav>
  )
}

/** What is searched and filtered, which stays on every link among prompts. */
export function withQuery(query: URLSearchParams, show: string = query.get('show') ?? ''): string {
  const kept = Object.entries({ q: query.get('q') ?? '', show }).filter(([, value]) => value !== '')
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`
}

/** More rows are only searched and filtered: nobody scrolls so far. */
const MANY = 1000

/** The prompts by folder, as an address has searched and filtered them. */
export function PromptList(): JSX.Element {
  const view = useView()
  const all = entriesOf(view)
  const listed = listedEntries(all, view.query)
  const folders = new Map<string, Entry[]>()
  for (const entry of listed.slice(0, MANY)) {
    const { folder } = entry.prompt
    folders.set(folder, folders.get(folder) ?? [])
    folders.get(folder)?.push(entry)
  }
  const count = `${formatCount(listed.length)} of ${pluralize(all.length, 'prompt')}`
  const results = listed.length === 0 ? 'No prompts found.' : count
  return (
    <nav class="list" aria-label="Prompts" id="prompts">
      {listed.length < all.length && (
        <p class="results dim small" role="status" children={results} />
      )}
      <div class="cells heads small">
        {['prompt', ...COLUMNS.map(([name]) => name)].map((name) => (
          <span class={`cell ${name}`}>{name}</span>
        ))}
      </div>
      {[...folders].map(([folder, entries]) => (
        <section>
          <h2 class="folder small dim">
            {folder.trim() === '' ? 'No folder' : <Pieces text={folder} />}
          </h2>
          <ul class="rows">
            {entries.map((entry) => (
              <Row entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {listed.length > MANY && <p class="results dim">{`The first ${formatCount(MANY)}.`}</p>}
    </nav>
  )
}

/** The columns of the list behind the first, with the text of an entry. */
const COLUMNS: readonly (readonly [name: string, textOf: (entry: Entry) => string])[] = [
  ['version', ({ prompt }) => prompt.version],
  ['model', ({ prompt }) => prompt.model],
  ['variables', ({ variables }) => `${variables}`],
  ['use', ({ uses }) => (uses === undefined ? '' : uses === 0 ? 'unused' : `${uses}`)],
]

/** A link to a prompt. */
function Row({ entry }: { entry: Entry }): JSX.Element {
  const { place, query } = useView()
  const { slug } = entry.prompt
  const isOpen = place?.kind === 'prompt' && place.slug === slug
  const path = pathOf({ kind: 'prompt', slug, view: 'text' })
  const badge = BADGES.find((mark) => entry.marks.has(mark))
  return (
    <li class="row">
      <a class="cells" href={path + withQuery(query)} aria-current={isOpen ? 'page' : undefined}>
        <span class="cell prompt cluster">
          <span class="slug cut" children={<Pieces text={slug} />} />
          {badge && <span class={`badge ${badge}`} children={entry.marks.get(badge)} />}
        </span>
        {COLUMNS.map(([name, textOf]) => (
          <span class={`cell cut dim small ${name}`} children={<Pieces text={textOf(entry)} />} />
        ))}
      </a>
    </li>
  )
}
