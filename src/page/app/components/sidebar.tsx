import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { parseQuery } from '../query.ts'
import { searchEntries } from '../search.ts'
import { usePage } from '../use-page.ts'
import { useRouter, useSearchText } from '../use-route.ts'
import { useTextSearch } from '../use-text-search.ts'
import { Filters } from './filters.tsx'
import { PromptList } from './prompt-list.tsx'
import { TextInput } from './text-input.tsx'

/**
 * Search, filters and list. `/` focuses the search from anywhere. In it, Enter opens the best match,
 * and the down arrow moves to the list.
 */
export function Sidebar(): JSX.Element {
  const { state, entries } = usePage()
  const [query, setQuery] = useSearchText()
  const revision = state.lock.kind === 'read' ? state.lock.revision : ''
  const texts = useTextSearch(parseQuery(query).words, revision)
  const found = useMemo(() => searchEntries(entries, query, texts), [entries, query, texts])
  const { go } = useRouter()
  const onKeyDown = (event: KeyboardEvent): void => {
    const [best] = found
    if (event.key === 'Escape') setQuery('')
    if (event.key === 'Enter' && query !== '' && best !== undefined) {
      go({ kind: 'prompt', slug: best.prompt.slug, view: 'text' })
    }
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>('[data-list] [data-row][tabindex="0"]')?.focus()
  }
  const all = pluralize(entries.length, 'prompt')
  return (
    <nav class="sidebar" aria-label="Prompts">
      <div class="search">
        <TextInput
          type="search"
          focusKeys={['/', 'mod+k']}
          value={query}
          placeholder="Search prompts"
          aria-label="Search in slugs, texts, variables and models"
          aria-describedby="search-help"
          onText={setQuery}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">/</kbd>
        <span id="search-help" class="offscreen">
          Enter opens the best match. model:, folder:, var: and version: search one field.
        </span>
      </div>
      <Filters query={query} onQuery={setQuery} />
      <p class="found dim tiny" role="status" aria-busy={texts.isPending}>
        {query === '' ? all : `${formatCount(found.length)} of ${all}`}
      </p>
      {found.length > 0 ? (
        <PromptList entries={found} query={query} texts={texts} />
      ) : (
        <p class="nothing dim">{texts.isPending ? 'Searching the texts…' : 'No prompts found.'}</p>
      )}
    </nav>
  )
}
