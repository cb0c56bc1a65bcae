import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Entry } from '../entries.ts'
import { count, plural } from '../numbers.ts'
import type { Route } from '../route.ts'
import { searchEntries } from '../search.ts'
import { PromptList } from './prompt-list.tsx'

/** Search and list. `/` focuses the search from anywhere, the down arrow moves from it to the list. */
export function Sidebar({
  entries,
  route,
  query,
  onQuery,
}: {
  readonly entries: readonly Entry[]
  readonly route: Route
  readonly query: string
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const found = useMemo(() => searchEntries(entries, query), [entries, query])
  useSlash(input)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onQuery('')
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
          placeholder="Search"
          aria-label="Search in slugs, texts, variables and models"
          aria-describedby="search-help"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onQuery(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">/</kbd>
        <span id="search-help" class="offscreen">
          model:, folder:, var: and version: search one field. is:update searches for a badge.
        </span>
      </div>
      <p class="found" role="status">
        {query === ''
          ? plural(entries.length, 'prompt')
          : `${count(found.length)} of ${plural(entries.length, 'prompt')}`}
      </p>
      {found.length > 0 ? (
        <PromptList entries={found} route={route} query={query} />
      ) : (
        <p class="nothing">
          {entries.length === 0 ? 'The lock contains no prompts.' : 'No prompts found.'}
        </p>
      )}
    </nav>
  )
}

function useSlash(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      const { target } = event
      const typing = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA)$/.test(target.tagName)
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [input])
}
