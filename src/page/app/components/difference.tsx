import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { describeEffects } from '../../../core/describe-change.ts'
import { diffTexts, type DiffLine } from '../../../features/diff/text-diff.ts'
import type { PageRow } from '../../protocol.ts'
import { textsOf } from '../changes.ts'
import { Panel } from './boxes.tsx'
import { Pieces, RemoteText } from './pieces.tsx'
import { TEXT_NAMES } from './text-panel.tsx'

/** The effects and texts that differ. */
export function Difference({ row }: { readonly row: PageRow }): JSX.Element {
  return (
    <>
      <p class="small">
        <RemoteText text={describeEffects(row, String)} />
      </p>
      {textsOf(row).map(({ field, before, after }) => (
        <TextDifference
          key={field}
          title={TEXT_NAMES[field]}
          slug={row.slug}
          texts={[before ?? '', after ?? '']}
        />
      ))}
    </>
  )
}

interface TextDifferenceProps {
  readonly title: string
  readonly slug: string
  readonly texts: readonly [before: string, after: string]
}

/** Two texts with what differs: the only diff of the page. */
export function TextDifference({
  title,
  slug,
  texts: [before, after],
}: TextDifferenceProps): JSX.Element {
  const hunks = useMemo(() => diffTexts(before, after), [before, after])
  return (
    <Panel title={title} aria-label={`${title} text of ${slug} compared`}>
      <div
        class="diff-scroller"
        role="group"
        tabIndex={0}
        aria-label={`${title} of ${slug}, inline`}
      >
        {hunks.map((lines, index) => (
          <div key={index} class="hunk">
            {lines.map(drawRow)}
          </div>
        ))}
      </div>
    </Panel>
  )
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const SPOKEN = { same: '', removed: 'removed: ', added: 'added: ' } as const

function drawRow({ kind, number, segments }: DiffLine, key: number): JSX.Element {
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
