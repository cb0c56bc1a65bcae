import type { JSX } from 'preact'
import type { DiffLine } from '../../../features/diff/text-diff.ts'
import { annotate } from '../annotate.ts'
import { pairLines } from '../side-by-side.ts'
import { Pieces } from './pieces.tsx'

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const SPOKEN = { same: '', removed: 'removed: ', added: 'added: ' } as const

/** A diff in one column. */
export function InlineDiff({
  hunks,
  label,
}: {
  readonly hunks: readonly (readonly DiffLine[])[]
  readonly label: string
}): JSX.Element {
  return (
    <div class="diff-scroller" role="group" tabIndex={0} aria-label={`${label}, inline`}>
      {hunks.map((lines, index) => (
        <div key={index} class="hunk">
          {lines.map((line, at) => (
            <DiffLineRow key={at} line={line} ends={lineEndsDiffer(lines)} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** A diff in two columns. */
export function SplitDiff({
  hunks,
  names,
  label,
}: {
  readonly hunks: readonly (readonly DiffLine[])[]
  readonly names: { readonly before: string; readonly after: string }
  readonly label: string
}): JSX.Element {
  return (
    <div
      class="diff-scroller split"
      role="group"
      tabIndex={0}
      aria-label={`${label}, side by side`}
    >
      <div class="sides" aria-hidden="true">
        <span>{names.before}</span>
        <span>{names.after}</span>
      </div>
      {hunks.map((lines, index) => (
        <div key={index} class="hunk">
          {pairLines(lines).map(({ before, after }, at) => (
            <div key={at} class="pair">
              <DiffSide line={before} ends={lineEndsDiffer(lines)} />
              <DiffSide line={after} ends={lineEndsDiffer(lines)} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** Whether some lines of a hunk differ only in their line end. */
function lineEndsDiffer(lines: readonly DiffLine[]): boolean {
  return lines.some(({ lacksLineEnd }) => lacksLineEnd)
}

function DiffSide({
  line,
  ends,
}: {
  readonly line: DiffLine | undefined
  readonly ends: boolean
}): JSX.Element {
  if (line === undefined) return <div class="diff-line empty" />
  return <DiffLineRow line={line} ends={ends} />
}

function DiffLineRow({
  line: { kind, number, segments, lacksLineEnd },
  ends,
}: {
  readonly line: DiffLine
  /** Whether to show the line end of a changed line. */
  readonly ends: boolean
}): JSX.Element {
  return (
    <div class={`diff-line ${kind}`}>
      <span class="number" aria-hidden="true">
        {number}
      </span>
      <span class="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span class="offscreen">{SPOKEN[kind]}</span>
      <span class="content">
        {segments.map(({ text, changed }, index) =>
          changed ? (
            <mark key={index}>
              <Pieces pieces={annotate(text)} />
            </mark>
          ) : (
            <Pieces key={index} pieces={annotate(text)} />
          ),
        )}
        {ends && kind !== 'same' && (
          <span class="hidden-character">{lacksLineEnd ? 'no line end' : String.raw`\n`}</span>
        )}
      </span>
    </div>
  )
}
