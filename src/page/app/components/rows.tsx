import type { JSX } from 'preact'
import type { Entry } from '../entries.ts'
import { compact, count, plural } from '../numbers.ts'
import type { Row } from '../rows.ts'
import { isRanked } from '../search.ts'
import { useRouter } from '../use-route.ts'
import type { TextSearch } from '../use-text-search.ts'
import { Badges } from './badges.tsx'
import { RemoteText } from './pieces.tsx'

/** The position of a row in the list and in the tab order. */
export interface RowPosition {
  readonly index: number
  /** The number of all rows, including rows that are not in the DOM. */
  readonly count: number
  /** Pixels. */
  readonly top: number
  readonly tabIndex: number
  readonly onFocus: () => void
}

/** The header of a folder, which expands and collapses it. */
export function FolderRow({
  row,
  place,
  onToggle,
}: {
  readonly row: Row & { readonly kind: 'folder' }
  readonly place: RowPosition
  readonly onToggle: (folder: string) => void
}): JSX.Element {
  return (
    <li class="row folder" {...itemOf(place)}>
      <button
        type="button"
        data-row={place.index}
        tabIndex={place.tabIndex}
        aria-expanded={row.open}
        onFocus={place.onFocus}
        onClick={() => onToggle(row.folder)}
      >
        <span class="chevron" aria-hidden="true" />
        <span class="name cut">
          {row.folder === '' ? 'No folder' : <RemoteText text={row.folder} />}
        </span>
        <span class="count">
          {count(row.count)}
          <span class="offscreen">{row.count === 1 ? ' prompt' : ' prompts'}</span>
        </span>
      </button>
    </li>
  )
}

/** A link to one prompt, with its version, model and badges. */
export function PromptRow({
  entry,
  place,
  query,
  texts,
}: {
  readonly entry: Entry
  readonly place: RowPosition
  readonly query: string
  readonly texts: TextSearch
}): JSX.Element {
  const { route, linkTo } = useRouter()
  const { slug, version } = entry.prompt
  const shown = route.place.kind === 'prompt' ? route.place : undefined
  return (
    <li class="row prompt" {...itemOf(place)}>
      <a
        href={linkTo({ kind: 'prompt', slug, view: shown?.view ?? 'text' })}
        data-row={place.index}
        tabIndex={place.tabIndex}
        aria-current={shown?.slug === slug ? 'page' : undefined}
        onFocus={place.onFocus}
      >
        <span class="first">
          <span class="slug cut">
            <RemoteText text={slug} />
          </span>
          <span class="version cut">
            <RemoteText text={version} />
          </span>
        </span>
        <span class="second">
          <span class="facts cut">{factsOf(entry, query, texts)}</span>
          <Badges badges={entry.badges} />
        </span>
      </a>
    </li>
  )
}

interface ItemAttributes {
  readonly 'aria-setsize': number
  readonly 'aria-posinset': number
  readonly style: { readonly top: string }
}

function itemOf({ index, count: all, top }: RowPosition): ItemAttributes {
  return { 'aria-setsize': all, 'aria-posinset': index + 1, style: { top: `${top}px` } }
}

/** Model, variables and size, or an excerpt if only the text matches the search. */
function factsOf({ prompt }: Entry, query: string, texts: TextSearch): JSX.Element {
  const word = query.trim().toLowerCase()
  const names = `${prompt.slug}\n${prompt.model}\n${prompt.variables.join('\n')}`.toLowerCase()
  const excerpt =
    word.length < 2 || names.includes(word) ? undefined : texts.excerpt(prompt.slug, word)
  if (excerpt !== undefined) return <RemoteText text={excerpt} />
  const variables = prompt.variables.length
  return (
    <>
      {isRanked(query) && (
        <>
          <RemoteText text={prompt.folder} />
          {' · '}
        </>
      )}
      <RemoteText text={prompt.model} />
      {` · ${variables === 0 ? 'no vars' : plural(variables, 'var')} · ${compact(prompt.characters)}`}
      <span class="offscreen"> characters</span>
    </>
  )
}
