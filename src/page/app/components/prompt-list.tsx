import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Entry } from '../entries.ts'
import {
  flatRows,
  ROW_HEIGHTS,
  type Row,
  rowOffsets,
  rowsOf,
  type SeenWindow,
  visibleRange,
} from '../rows.ts'
import { isRanked } from '../search.ts'
import { useRouter } from '../use-route.ts'
import type { TextSearch } from '../use-text-search.ts'
import { FolderRow, PromptRow } from './rows.tsx'

/**
 * The prompts: by folder or, for a search, the best first. Only the visible rows and the focused row are
 * in the DOM, so a thousand prompts are as fast as ten.
 */
export function PromptList({
  entries,
  query,
  texts,
}: {
  readonly entries: readonly Entry[]
  readonly query: string
  readonly texts: TextSearch
}): JSX.Element {
  const { place } = useRouter().route
  const slug = place.kind === 'prompt' ? place.slug : undefined
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const ranked = isRanked(query)
  const rows = useMemo(
    () => (ranked ? flatRows(entries) : rowsOf(entries, closed)),
    [entries, closed, ranked],
  )
  const tops = useMemo(() => rowOffsets(rows), [rows])
  const scroller = useRef<HTMLDivElement>(null)
  const { seen, onScroll } = useWindow(scroller)
  const { start, end } = visibleRange(tops, seen)
  const selected = rows.findIndex((row) => row.kind === 'prompt' && row.entry.prompt.slug === slug)
  const { active, setActive, reveal, onKeyDown } = useRowFocus(scroller, tops, selected)
  useEffect(() => reveal(selected), [selected >= 0, slug])
  const toggle = (folder: string): void => {
    const next = new Set(closed)
    if (!next.delete(folder)) next.add(folder)
    setClosed(next)
  }
  const rowAt = (row: Row, index: number): JSX.Element => {
    const tabIndex = index === active ? 0 : -1
    const focus = { 'data-row': index, tabIndex, onFocus: () => setActive(index) }
    return (
      <li
        key={row.kind === 'folder' ? `folder ${row.folder}` : `prompt ${row.entry.prompt.slug}`}
        class={`row ${row.kind}`}
        aria-setsize={rows.length}
        aria-posinset={index + 1}
        style={{ top: `${tops[index]}px`, height: `${ROW_HEIGHTS[row.kind]}px` }}
      >
        {row.kind === 'folder' ? (
          <FolderRow row={row} focus={focus} onToggle={toggle} />
        ) : (
          <PromptRow entry={row.entry} focus={focus} query={query} texts={texts} />
        )}
      </li>
    )
  }
  const isDrawn = (index: number): boolean => index === active || (index >= start && index < end)
  return (
    <div class="scroller" ref={scroller} onScroll={onScroll} onKeyDown={onKeyDown} data-list>
      <ul class="rows" style={{ height: `${tops.at(-1)}px` }}>
        {rows.flatMap((row, index) => (isDrawn(index) ? [rowAt(row, index)] : []))}
      </ul>
    </div>
  )
}

interface RowFocus {
  /** The row that the Tab key reaches. */
  readonly active: number
  readonly setActive: (index: number) => void
  /** Scrolls a row into view. */
  readonly reveal: (index: number) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Arrow keys, Home and End move through all rows, including rows that are not in the DOM. */
function useRowFocus(
  scroller: { readonly current: HTMLDivElement | null },
  tops: readonly number[],
  selected: number,
): RowFocus {
  const count = tops.length - 1
  const [chosen, setActive] = useState<number>()
  const wanted = useRef<number | undefined>(undefined)
  const active = Math.max(0, Math.min(chosen ?? selected, count - 1))

  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)
    wanted.current = undefined
    row?.focus({ preventScroll: true })
  })

  const reveal = (index: number): void => {
    const { current: box } = scroller
    if (box === null || index < 0) return
    const [top, bottom] = [tops[index] ?? 0, tops[index + 1] ?? 0]
    if (top < box.scrollTop) box.scrollTop = Math.max(0, top - 40)
    else if (bottom > box.scrollTop + box.clientHeight)
      box.scrollTop = bottom - box.clientHeight + 40
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, active, count)
    if (next === undefined) return
    event.preventDefault()
    wanted.current = next
    reveal(next)
    setActive(next)
  }
  return { active, setActive, reveal, onKeyDown }
}

function nextIndex(key: string, active: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + 10,
    PageUp: active - 10,
    Home: 0,
    End: count - 1,
  }
  const next = moves[key]
  return next === undefined ? undefined : Math.max(0, Math.min(next, count - 1))
}

/** Tracks the visible part of a scrolling element. */
function useWindow(element: { readonly current: HTMLElement | null }): {
  readonly seen: SeenWindow
  readonly onScroll: () => void
} {
  const [seen, setSeen] = useState<SeenWindow>({ top: 0, height: 800 })
  const onScroll = (): void => {
    const { current: box } = element
    if (box !== null) setSeen({ top: box.scrollTop, height: box.clientHeight })
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(onScroll)
    if (element.current !== null) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { seen, onScroll }
}
