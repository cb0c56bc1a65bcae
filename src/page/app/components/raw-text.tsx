import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Lint } from '../../../core/lint.ts'
import { annotateLines } from '../annotate.ts'
import { count } from '../numbers.ts'
import { Pieces } from './pieces.tsx'

/** The number of lines shown at first; a button shows more. */
const PAGE = 2000

/** A text with line numbers, counted as in the lock and in lints. */
export function RawText({
  text,
  lints,
  label,
}: {
  readonly text: string
  readonly lints: readonly Lint[]
  readonly label: string
}): JSX.Element {
  const [shown, setShown] = useState(PAGE)
  const lines = useMemo(() => annotateLines(text, lints), [text, lints])
  return (
    <>
      <pre class="raw" role="group" aria-label={label} tabIndex={0}>
        {lines.slice(0, shown).map(({ number, pieces }) => (
          <span key={number} class="line">
            <Pieces pieces={pieces} />
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > shown && (
        <button type="button" class="button more" onClick={() => setShown(shown + 5 * PAGE)}>
          {`Show more of ${count(lines.length)} lines`}
        </button>
      )}
    </>
  )
}
