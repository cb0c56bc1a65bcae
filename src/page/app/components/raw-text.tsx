import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Lint } from '../../../core/lint.ts'
import { annotateLines } from '../annotate.ts'
import { count } from '../numbers.ts'
import type { TextPlace } from '../places.ts'
import { Pieces } from './pieces.tsx'

/** The number of lines shown at first; a button shows more. */
const PAGE = 2000

/** A text with line numbers, counted as in the lock and in lints. */
export function RawText({
  text,
  lints,
  label,
  target,
  isWhole,
}: {
  readonly text: string
  readonly lints: readonly Lint[]
  readonly label: string
  /** The line to scroll to; a new object scrolls again. */
  readonly target: TextPlace | undefined
  /** Whether all lines are shown. */
  readonly isWhole: boolean
}): JSX.Element {
  const box = useRef<HTMLPreElement>(null)
  const [shown, setShown] = useState(PAGE)
  const lines = useMemo(() => annotateLines(text, lints), [text, lints])
  const end = isWhole ? lines.length : Math.max(shown, target?.line ?? 0)
  useEffect(() => {
    if (target !== undefined) {
      box.current?.children[target.line - 1]?.scrollIntoView({ block: 'center' })
    }
  }, [target])
  const drawn = useMemo(
    () =>
      lines.slice(0, end).map(({ number, pieces }) => (
        <span key={number} class={number === target?.line ? 'line target' : 'line'}>
          <Pieces pieces={pieces} />
          {'\n'}
        </span>
      )),
    [lines, end, target],
  )
  return (
    <>
      <pre ref={box} class="raw" role="group" aria-label={label} tabIndex={0}>
        {drawn}
      </pre>
      {lines.length > end && (
        <button type="button" class="button more" onClick={() => setShown(end + 5 * PAGE)}>
          {`Show more of ${count(lines.length)} lines`}
        </button>
      )}
    </>
  )
}
