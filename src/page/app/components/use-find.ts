import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { findRanges } from '../find-ranges.ts'

/** The matches of a text in an element. */
export interface Found {
  readonly total: number
  /** The match that is scrolled to, counted from 0. */
  readonly current: number
  /** Scrolls to another match; the first follows the last. */
  readonly move: (step: number) => void
}

/**
 * Highlights a text in the lines and blocks of an element and scrolls to its matches. The CSS Custom
 * Highlight API leaves the elements as they are.
 *
 * @param content - when it changes, the element is searched again
 */
export function useFind(
  container: { readonly current: HTMLElement | null },
  text: string,
  content: unknown,
): Found {
  const [ranges, setRanges] = useState<readonly Range[]>([])
  const [current, setCurrent] = useState(0)
  useLayoutEffect(() => {
    const blocks = container.current?.querySelectorAll('.line, .markdown > *') ?? []
    setRanges(findRanges(blocks, text))
    setCurrent(0)
  }, [text, content])
  useEffect(() => {
    highlight('found', ranges)
    return () => highlight('found', [])
  }, [ranges])
  useEffect(() => {
    const range = ranges[current]
    highlight('found-current', range === undefined ? [] : [range])
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
    return () => highlight('found-current', [])
  }, [ranges, current])
  const total = ranges.length
  return {
    total,
    current,
    move: (step) => setCurrent((current + step + total) % Math.max(1, total)),
  }
}

/** Browsers without the API still scroll to the matches. */
function highlight(name: string, ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}
