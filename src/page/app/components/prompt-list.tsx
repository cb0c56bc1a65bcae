import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import type { Entry } from '../entries.ts'
import { moveFocus } from '../keys.ts'
import { linkTo, searchText } from '../navigation.ts'
import { searchEntries } from '../search.ts'
import { page } from '../store.ts'
import { RemoteText } from './pieces.tsx'

/** Above this number of prompts, folders are closed at first. */
const MANY = 200

interface ListProps {
  readonly entries: readonly Entry[]
}

/** The prompts by folder or, for a search, in one list. The browser draws only what is seen. */
export function PromptList({ entries }: ListProps): JSX.Element {
  const text = searchText()
  const results = useMemo(() => searchEntries(entries, text), [entries, text])
  const slug = openSlug()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [slug])
  const all = pluralize(entries.length, 'prompt')
  return (
    <nav class="sidebar" aria-label="Prompts" ref={box} onKeyDown={moveInList}>
      {text === '' ? (
        <Folders entries={entries} />
      ) : (
        <>
          <p class="results dim small" role="status">
            {results.length > 0 ? `${formatCount(results.length)} of ${all}` : 'No prompts found.'}
          </p>
          <ul class="rows">{results.map(rowOf)}</ul>
        </>
      )}
    </nav>
  )
}

/** The slug of the prompt that is open. */
function openSlug(): string | undefined {
  const { place } = page().route
  return place.kind === 'prompt' ? place.slug : undefined
}

function Folders({ entries }: ListProps): JSX.Element {
  const folders = new Map<string, Entry[]>()
  for (const entry of entries) {
    const members = folders.get(entry.prompt.folder) ?? []
    folders.set(entry.prompt.folder, members)
    members.push(entry)
  }
  const slug = openSlug()
  const isOpen = (members: readonly Entry[]): boolean =>
    entries.length <= MANY || members.some(({ prompt }) => prompt.slug === slug)
  return (
    <div class="rows">
      {[...folders].map(([folder, members]) => (
        <details key={folder} open={isOpen(members)}>
          <summary class="dim small">
            {folder === '' ? 'No folder' : <RemoteText text={folder} />}{' '}
            <span class="count">{formatCount(members.length)}</span>
          </summary>
          <ul>{members.map(rowOf)}</ul>
        </details>
      ))}
    </div>
  )
}

/** A link to a prompt, with its version or its badge; in the results of a search with its folder. */
function rowOf({ prompt: { slug, folder, version }, badge }: Entry): JSX.Element {
  const { place } = page().route
  const view = place.kind === 'prompt' ? place.view : 'text'
  return (
    <li key={slug} class="row">
      <a
        class="cluster"
        href={linkTo({ kind: 'prompt', slug, view })}
        aria-current={slug === openSlug() ? 'page' : undefined}
      >
        <span class="slug cut grow">
          <RemoteText text={slug} />
        </span>
        {searchText() !== '' && folder !== '' && (
          <span class="dim small cut">
            <RemoteText text={folder} />
          </span>
        )}
        {badge === undefined ? (
          <span class="version dim small cut">
            <RemoteText text={version} />
          </span>
        ) : (
          <span class={`badge ${badge.kind}`} title={badge.title}>
            {badge.label}
          </span>
        )}
      </a>
    </li>
  )
}

/** Those that are open. */
const ROWS = 'summary, [open] a, ul.rows a'

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
  moveFocus([...event.currentTarget.querySelectorAll<HTMLElement>(ROWS)], by)
}
