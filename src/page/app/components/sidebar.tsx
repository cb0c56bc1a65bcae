import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Entry } from '../entries.ts'
import { count, plural } from '../numbers.ts'
import { parseQuery } from '../query.ts'
import { searchEntries } from '../search.ts'
import { useKeys } from '../use-keys.ts'
import { useRouter } from '../use-route.ts'
import { type TextSearch, useTextSearch } from '../use-text-search.ts'
import { Filters } from './filters.tsx'
import { PromptList } from './prompt-list.tsx'

/**
 * Search, filters and list. `/` focuses the search from anywhere. In it, Enter opens the best match,
 * and the down arrow moves to the list.
 */
export function Sidebar({
  entries,
  query,
  revision,
  onQuery,
}: {
  readonly entries: readonly Entry[]
  readonly query: string
  /** Of the lock. */
  readonly revision: string
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const texts = useTextSearch(parseQuery(query).words, revision)
  const found = useMemo(() => searchEntries(entries, query, texts), [entries, query, texts])
  const { go } = useRouter()
  useKeys({
    '/': () => {
      input.current?.focus()
      input.current?.select()
    },
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const [best] = found
    if (event.key === 'Escape') onQuery('')
    if (event.key === 'Enter' && query !== '' && best !== undefined) {
      go({ kind: 'prompt', slug: best.prompt.slug, view: 'text' })
    }
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>('[data-list] [data-row][tabindex="0"]')?.focus()
  }
  return (
    <nav class="sidebar" aria-label="Prompts">
      <div class="search">
        <input
          ref={input}
          type="search"
          value={query}
          placeholder="Search prompts"
          aria-label="Search in slugs, texts, variables and models"
          aria-describedby="search-help"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onQuery(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">/</kbd>
        <span id="search-help" class="offscreen">
          Enter opens the best match. model:, folder:, var: and version: search one field.
        </span>
      </div>
      <Filters entries={entries} query={query} onQuery={onQuery} />
      <Results entries={entries} found={found} query={query} texts={texts} />
    </nav>
  )
}

function Results({
  entries,
  found,
  query,
  texts,
}: {
  readonly entries: readonly Entry[]
  readonly found: readonly Entry[]
  readonly query: string
  readonly texts: TextSearch
}): JSX.Element {
  const all = plural(entries.length, 'prompt')
  return (
    <>
      <p class="found" role="status" aria-busy={texts.isPending}>
        {query === '' ? all : `${count(found.length)} of ${all}`}
      </p>
      {found.length > 0 ? (
        <PromptList entries={found} query={query} texts={texts} />
      ) : (
        <p class="nothing">
          {entries.length === 0 ? 'The lock contains no prompts.' : noneText(texts)}
        </p>
      )}
    </>
  )
}

function noneText({ isPending }: TextSearch): string {
  return isPending ? 'Searching the texts…' : 'No prompts found.'
}
