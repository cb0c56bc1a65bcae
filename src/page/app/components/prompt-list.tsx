import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { entries } from '../derived.ts'
import { cellOf, COLUMNS, type Entry, listedEntries, MARKS } from '../entries.ts'
import { moveFocus } from '../keys.ts'
import { linkTo, type Options, set } from '../navigation.ts'
import { page, project } from '../store.ts'
import { SettingChoice } from './choice.tsx'
import { Pieces } from './pieces.tsx'

/** More rows are only searched and filtered: nobody scrolls so far. */
const MANY = 1000

/** All prompts, with what a visitor wants to know: what waits, is held, edited, staged, unused. */
export function PromptsPage(): JSX.Element {
  const all = entries()
  const options: Options<string> = [
    { value: '', label: 'All' },
    ...MARKS.flatMap((value) => {
      const { length } = all.filter(({ marks }) => marks.includes(value))
      return length === 0 ? [] : { value, label: `${formatCount(length)} ${value}` }
    }),
  ]
  return (
    <article class="page stack">
      <header>
        <h1>{pluralize(all.length, 'prompt')} pinned</h1>
        <p class="dim">
          In <code>{project().lockPath}</code>. Press <kbd>/</kbd> to search slugs and texts.
        </p>
      </header>
      <SettingChoice name="show" label="Which prompts are listed" options={options} />
      <PromptList />
    </article>
  )
}

/** The prompts in the order that was chosen. The browser draws only what is seen. */
export function PromptList(): JSX.Element {
  const { route } = page()
  const { place } = route
  const { length } = entries()
  const listed = listedEntries(entries(), route)
  const slug = place.kind === 'prompt' ? place.slug : undefined
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [slug])
  return (
    <nav class="list" aria-label="Prompts" ref={box} onKeyDown={moveInList}>
      {listed.length < length && (
        <p class="results dim small" role="status">
          {listed.length > 0
            ? `${formatCount(listed.length)} of ${pluralize(length, 'prompt')}`
            : 'No prompts found.'}
        </p>
      )}
      <div class="cells heads small">
        {COLUMNS.map((column) => (
          <SortButton key={column} column={column} />
        ))}
      </div>
      <ul class="rows">{listed.slice(0, MANY).map(rowOf)}</ul>
      {listed.length > MANY && <p class="results dim">{`The first ${formatCount(MANY)}.`}</p>}
    </nav>
  )
}

function SortButton({ column }: { readonly column: (typeof COLUMNS)[number] }): JSX.Element {
  const sort = page().route.settings.get('sort')
  const isSorted = sort?.replace('-', '') === column
  return (
    <button
      type="button"
      class={`bare cell ${column}`}
      aria-pressed={isSorted}
      onClick={() => set('sort', sort === column ? `-${column}` : column)}
    >
      {column}
      {isSorted && (sort === column ? ' ↑' : ' ↓')}
    </button>
  )
}

/** A link to a prompt. */
function rowOf(entry: Entry): JSX.Element {
  const { prompt, badge } = entry
  const { slug } = prompt
  const { place } = page().route
  const isOpen = place.kind === 'prompt' && place.slug === slug
  const view = place.kind === 'prompt' ? place.view : 'text'
  return (
    <li key={slug} class="row">
      <a
        class="cells"
        href={linkTo({ kind: 'prompt', slug, view })}
        aria-current={isOpen ? 'page' : undefined}
      >
        <span class="cell prompt cluster">
          <span class="slug cut">
            <Pieces text={slug} />
          </span>
          {badge && (
            <span class={`badge ${badge.kind}`} title={badge.title}>
              {badge.label}
            </span>
          )}
        </span>
        {COLUMNS.slice(1).map((column) => (
          <span key={column} class={`cell ${column} cut dim`}>
            <Pieces text={cellOf(entry, column)} />
          </span>
        ))}
      </a>
    </li>
  )
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Moves among the rows. */
function moveInList(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = MOVES[event.key]
  if (by === undefined) return
  event.preventDefault()
  moveFocus([...event.currentTarget.querySelectorAll<HTMLElement>('.row a')], by)
}
