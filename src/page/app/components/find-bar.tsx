import type { JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { formatCount } from '../../../core/text/pluralize.ts'
import { findRanges, MOST_MATCHES } from '../find-ranges.ts'
import { useRouter } from '../use-route.ts'
import { TextInput } from './text-input.tsx'

/** The setting with the text to find. */
export const FIND = 'find'

interface FindProps {
  /** Its lines and blocks are searched. */
  readonly container: RefObject<HTMLElement | null>
  /** When it changes, the element is searched again. */
  readonly content: string
}

/** Finds a text in an element. `f` focuses it, Enter and Shift Enter move. */
export function FindBar(props: FindProps): JSX.Element {
  const { route, set } = useRouter()
  const text = route.settings.get(FIND) ?? ''
  const { total, current, move } = useMatches(text, props)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') set(FIND, undefined)
    if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
  }
  const stepButton = (step: number, label: string, sign: string): JSX.Element => (
    <button
      type="button"
      class="button small"
      aria-label={label}
      disabled={total < 2}
      onClick={() => move(step)}
    >
      {sign}
    </button>
  )
  const all = total < MOST_MATCHES ? formatCount(total) : `${formatCount(total)}+`
  return (
    <div class="find flow" role="search" aria-label="In this prompt">
      <TextInput
        class="input grow"
        focusKey="f"
        aria-label="Find in the text"
        placeholder="Find in the text"
        value={text}
        onText={(next) => set(FIND, next)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <>
          <output class="dim tiny">
            {total === 0 ? 'None' : `${formatCount(current + 1)} of ${all}`}
          </output>
          {stepButton(-1, 'Previous match', '↑')}
          {stepButton(1, 'Next match', '↓')}
        </>
      )}
    </div>
  )
}

/** Highlights the matches of a text, and scrolls to the current one. */
function useMatches(
  text: string,
  { container, content }: FindProps,
): { readonly total: number; readonly current: number; readonly move: (step: number) => void } {
  const [ranges, setRanges] = useState<readonly Range[]>([])
  const [current, setCurrent] = useState(0)
  useLayoutEffect(() => {
    const blocks = container.current?.querySelectorAll('.line, .markdown > *') ?? []
    setRanges(findRanges(blocks, text))
    setCurrent(0)
  }, [text, content])
  useEffect(() => highlight('found', ranges), [ranges])
  useEffect(() => {
    const range = ranges[current]
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
    return highlight('found-current', range === undefined ? [] : [range])
  }, [ranges, current])
  const total = ranges.length
  // The first match follows the last.
  const move = (step: number): void => setCurrent((current + step + total) % Math.max(1, total))
  return { total, current, move }
}

/**
 * Highlights ranges without changing their elements. Browsers without the CSS Custom Highlight API
 * only scroll to the matches.
 *
 * @returns removes the highlight
 */
function highlight(name: string, ranges: readonly Range[]): (() => void) | undefined {
  if (typeof Highlight === 'undefined') return undefined
  CSS.highlights.set(name, new Highlight(...ranges))
  return () => CSS.highlights.delete(name)
}
