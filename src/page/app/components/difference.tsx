import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { changedTexts, type ChangeRow } from '../../../core/change-row.ts'
import type { PromptChange } from '../../../core/compare.ts'
import { describeEffects } from '../../../core/describe-change.ts'
import { diffTexts, type DiffLine } from '../../../features/diff/text-diff.ts'
import { type Options, settingOf } from '../navigation.ts'
import { Panel } from './boxes.tsx'
import { Pieces, RemoteText } from './pieces.tsx'
import { TEXT_NAMES } from './text-panel.tsx'

/** The layouts of diffs. */
export const LAYOUTS: Options<'inline' | 'split'> = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Side by side' },
]

/** The effects and texts that differ. */
export function Difference({
  row,
  change,
}: {
  readonly row: ChangeRow
  readonly change: PromptChange
}): JSX.Element {
  const layout = settingOf('layout', LAYOUTS)
  return (
    <>
      <p class="small">
        <RemoteText text={describeEffects(row, String)} />
      </p>
      {changedTexts(change).map(({ field, before, after }) => (
        <TextDifference
          key={field}
          title={TEXT_NAMES[field]}
          slug={row.slug}
          texts={[before ?? '', after ?? '']}
          layout={layout}
        />
      ))}
    </>
  )
}

/** Two texts with what differs: the only diff of the page. */
export function TextDifference({
  title,
  slug,
  texts: [before, after],
  layout,
}: {
  readonly title: string
  readonly slug: string
  readonly texts: readonly [before: string, after: string]
  readonly layout: (typeof LAYOUTS)[number]['value']
}): JSX.Element {
  const hunks = useMemo(() => diffTexts(before, after), [before, after])
  return (
    <Panel title={title} aria-label={`${title} text of ${slug} compared`}>
      <div
        class={`diff-scroller ${layout}`}
        role="group"
        tabIndex={0}
        aria-label={`${title} of ${slug}, ${layout === 'split' ? 'side by side' : 'inline'}`}
      >
        {hunks.map((lines, index) => (
          <div key={index} class="hunk">
            {layout === 'split' ? pairsOf(lines) : lines.map(drawRow)}
          </div>
        ))}
      </div>
    </Panel>
  )
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const SPOKEN = { same: '', removed: 'removed: ', added: 'added: ' } as const

function drawRow(line: DiffLine | undefined, key: number): JSX.Element {
  if (line === undefined) return <div key={key} class="diff-line empty" />
  const { kind, number, segments } = line
  return (
    <div key={key} class={`diff-line ${kind}`}>
      <span class="number" aria-hidden="true">
        {number}
      </span>
      <span class="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span class="offscreen">{SPOKEN[kind]}</span>
      <span class="content">
        {segments.map(({ text, changed }, index) => {
          const pieces = <Pieces key={index} text={text} marks="tokens" />
          return changed ? <mark key={index}>{pieces}</mark> : pieces
        })}
      </span>
    </div>
  )
}

/** The lines of a hunk in two columns, with removed lines next to added ones. */
function pairsOf(lines: readonly DiffLine[]): JSX.Element[] {
  const pairs: [before: DiffLine | undefined, after: DiffLine | undefined][] = []
  // The next line to have an added one next to it.
  let next = 0
  for (const line of lines) {
    const pair = pairs[next]
    if (line.kind === 'removed') pairs.push([line, undefined])
    else if (line.kind === 'same') next = pairs.push([line, line])
    else {
      if (pair === undefined) pairs.push([undefined, line])
      else pair[1] = line
      next++
    }
  }
  return pairs.map((pair, index) => (
    <div key={index} class="pair">
      {pair.map(drawRow)}
    </div>
  ))
}
