import type { JSX } from 'preact'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { promptPath } from '../addresses.ts'
import { entriesOf, type Entry, listedEntries, usesLabel } from './entries.ts'
import { Pieces } from './pieces.tsx'
import { useView } from './view.ts'

/** All prompts, with what a visitor wants to know: what waits, is held, edited, staged, unused. */
export function PromptsPage(): JSX.Element {
  const { lockPath, prompts } = useView()
  return (
    <article class="page stack">
      <header>
        <h1>{pluralize(prompts.length, 'prompt')} pinned</h1>
        <p class="dim">
          In <code>{lockPath}</code>. Press <kbd>/</kbd> to search slugs, texts, and marks such as
          held or unused.
        </p>
      </header>
      <PromptList />
    </article>
  )
}

/** What is searched, which stays on every link among prompts. */
export function withQuery(query: URLSearchParams): string {
  const search = query.get('q')
  return search ? `?${new URLSearchParams({ q: search }).toString()}` : ''
}

/** More rows are only searched: nobody scrolls so far. */
const MANY = 1000

/** The prompts by folder, as far as an address searches them. */
export function PromptList(): JSX.Element {
  const view = useView()
  const all = entriesOf(view)
  const listed = listedEntries(all, view.query)
  const shown = listed.slice(0, MANY)
  const folders = [...new Set(shown.map(({ prompt }) => prompt.folder))]
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
      {folders.map((folder) => (
        <section>
          <h2 class="folder small dim">
            {folder.trim() === '' ? 'No folder' : <Pieces text={folder} />}
          </h2>
          <ul class="rows">
            {shown.flatMap((entry) =>
              entry.prompt.folder === folder ? <Row entry={entry} /> : [],
            )}
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
  ['use', ({ uses }) => usesLabel(uses)],
]

/** A link to a prompt. */
function Row({ entry }: { entry: Entry }): JSX.Element {
  const { prompt, query } = useView()
  const { slug } = entry.prompt
  const isOpen = prompt?.slug === slug
  const [badge] = entry.marks
  return (
    <li class="row">
      <a
        class="cells"
        href={promptPath(slug) + withQuery(query)}
        aria-current={isOpen ? 'page' : undefined}
      >
        <span class="cell prompt cluster">
          <span class="slug cut" children={<Pieces text={slug} />} />
          {badge && <span class={`badge ${badge[0]}`} children={badge[1]} />}
        </span>
        {COLUMNS.map(([name, textOf]) => (
          <span class={`cell cut dim small ${name}`} children={<Pieces text={textOf(entry)} />} />
        ))}
      </a>
    </li>
  )
}
