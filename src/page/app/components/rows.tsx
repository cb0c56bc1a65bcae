import type { JSX } from 'preact'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import type { Entry } from '../entries.ts'
import { compact } from '../numbers.ts'
import type { Row } from '../rows.ts'
import { isRanked } from '../search.ts'
import { useRouter } from '../use-route.ts'
import type { TextSearch } from '../use-text-search.ts'
import { Badges, RemoteText } from './pieces.tsx'

/** What makes a row a stop of the arrow keys. */
export interface RowFocusProps {
  /** The index of the row. */
  readonly 'data-row': number
  readonly tabIndex: number
  readonly onFocus: () => void
}

/** The header of a folder, which expands and collapses it. */
export function FolderRow({
  row: { folder, count: members, open },
  focus,
  onToggle,
}: {
  readonly row: Row & { readonly kind: 'folder' }
  readonly focus: RowFocusProps
  readonly onToggle: (folder: string) => void
}): JSX.Element {
  return (
    <button
      type="button"
      class="bare cluster dim"
      {...focus}
      aria-expanded={open}
      onClick={() => onToggle(folder)}
    >
      <span class="chevron" aria-hidden="true" />
      <span class="name cut">{folder === '' ? 'No folder' : <RemoteText text={folder} />}</span>
      <span class="count">
        {formatCount(members)}
        <span class="offscreen">{members === 1 ? ' prompt' : ' prompts'}</span>
      </span>
    </button>
  )
}

/** A link to one prompt, with its version, model and badges. */
export function PromptRow({
  entry,
  focus,
  query,
  texts,
}: {
  readonly entry: Entry
  readonly focus: RowFocusProps
  readonly query: string
  readonly texts: TextSearch
}): JSX.Element {
  const { route, linkTo } = useRouter()
  const { slug, version } = entry.prompt
  const shown = route.place.kind === 'prompt' ? route.place : undefined
  return (
    <a
      {...focus}
      href={linkTo({ kind: 'prompt', slug, view: shown?.view ?? 'text' })}
      aria-current={shown?.slug === slug ? 'page' : undefined}
    >
      <span class="first cluster">
        <span class="slug cut grow">
          <RemoteText text={slug} />
        </span>
        <span class="version dim cut">
          <RemoteText text={version} />
        </span>
      </span>
      <span class="second cluster dim">
        <span class="facts cut grow">{factsOf(entry, query, texts)}</span>
        <Badges badges={entry.badges} />
      </span>
    </a>
  )
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
      {` · ${variables === 0 ? 'no vars' : pluralize(variables, 'var')} · ${compact(prompt.characters)}`}
      <span class="offscreen"> characters</span>
    </>
  )
}
