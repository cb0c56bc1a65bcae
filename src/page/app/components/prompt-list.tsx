import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import type { Entry } from '../entries.ts'
import type { Place } from '../route.ts'
import { searchEntries } from '../search.ts'
import { useStore } from '../store.ts'
import { useRouter, useSearchText } from '../use-route.ts'
import { RemoteText } from './pieces.tsx'

/** Above this number of prompts, folders are closed at first. */
const MANY = 200

/** The prompts by folder or, for a search, the best first. The browser draws only what is seen. */
export function PromptList({ place }: { readonly place: Place }): JSX.Element {
  const { entries } = useStore()
  const text = useSearchText()
  const results = useMemo(() => searchEntries(entries, text), [entries, text])
  const slug = place.kind === 'prompt' ? place.slug : undefined
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [slug])
  const all = pluralize(entries.length, 'prompt')
  return (
    <nav class="sidebar" aria-label="Prompts" ref={box} onKeyDown={moveFocus}>
      {text !== '' && (
        <p class="results dim small" role="status">
          {results.length === 0 ? 'No prompts found.' : `${formatCount(results.length)} of ${all}`}
        </p>
      )}
      {text === '' ? (
        <Folders entries={entries} slug={slug} />
      ) : (
        <ul class="rows">
          {results.map((entry) => (
            <Row key={entry.prompt.slug} entry={entry} current={slug} hasFolder />
          ))}
        </ul>
      )}
    </nav>
  )
}

function Folders({
  entries,
  slug,
}: {
  readonly entries: readonly Entry[]
  readonly slug: string | undefined
}): JSX.Element {
  const folders = useMemo(() => {
    const all = new Map<string, Entry[]>()
    for (const entry of entries) {
      const members = all.get(entry.prompt.folder)
      if (members === undefined) all.set(entry.prompt.folder, [entry])
      else members.push(entry)
    }
    return [...all]
  }, [entries])
  const isOpen = (members: readonly Entry[]): boolean =>
    entries.length <= MANY || members.some(({ prompt }) => prompt.slug === slug)
  return (
    <div class="rows">
      {folders.map(([folder, members]) => (
        <details key={folder} open={isOpen(members)}>
          <summary class="dim small">
            {folder === '' ? 'No folder' : <RemoteText text={folder} />}{' '}
            <span class="count">{formatCount(members.length)}</span>
          </summary>
          <ul>
            {members.map((entry) => (
              <Row key={entry.prompt.slug} entry={entry} current={slug} />
            ))}
          </ul>
        </details>
      ))}
    </div>
  )
}

/** A link to a prompt, with its version or its badge. */
function Row({
  entry: { prompt, badge },
  current,
  hasFolder = false,
}: {
  readonly entry: Entry
  /** The slug of the prompt that is open. */
  readonly current: string | undefined
  readonly hasFolder?: boolean
}): JSX.Element {
  const { route, linkTo } = useRouter()
  const view = route.place.kind === 'prompt' ? route.place.view : 'text'
  return (
    <li class="row">
      <a
        class="cluster"
        href={linkTo({ kind: 'prompt', slug: prompt.slug, view })}
        aria-current={prompt.slug === current ? 'page' : undefined}
      >
        <span class="slug cut grow">
          <RemoteText text={prompt.slug} />
        </span>
        {hasFolder && prompt.folder !== '' && (
          <span class="dim small cut">
            <RemoteText text={prompt.folder} />
          </span>
        )}
        {badge === undefined ? (
          <span class="version dim small cut">
            <RemoteText text={prompt.version} />
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

/** Arrow keys, Home and End move among the rows that are open. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const rows = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('summary, [open] a, ul.rows a'),
  ]
  const at = rows.findIndex((row) => row === document.activeElement)
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: rows.length - 1,
  }
  const next = moves[event.key]
  if (next === undefined) return
  event.preventDefault()
  rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus()
}
