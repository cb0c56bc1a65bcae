/** The texts of a prompt: one, or two with what differs. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { describeEffects } from '../../../core/describe-change.ts'
import type { Note } from '../../../core/notes.ts'
import type { PromptText } from '../../../core/prompt.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import { diffTexts, type DiffLine } from '../../../features/diff/text-diff.ts'
import type { PageRow } from '../../protocol.ts'
import { textsOf } from '../changes.ts'
import { sizeOf } from '../numbers.ts'
import { Panel } from './boxes.tsx'
import { CopyButton } from './copy.tsx'
import { Pieces, RemoteText } from './pieces.tsx'

/** What the page calls the texts of a prompt. */
const TEXT_NAMES = { system: 'System', user: 'User', source: 'Whole text' } as const

/** A line of a text of a prompt. */
export type TextPlace = Pick<Note, 'field' | 'line'>

interface TextPanelProps {
  readonly text: PromptText
  /** The line to scroll to, of any text; a new object scrolls again. */
  readonly target?: TextPlace | undefined
}

/** One text of a prompt, with its size and with line numbers, counted as in the lock and in notes. */
export function TextPanel({ text: { field, text }, target }: TextPanelProps): JSX.Element {
  const name = TEXT_NAMES[field]
  const line = target?.field === field ? target.line : undefined
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (line !== undefined) box.current?.children[line - 1]?.scrollIntoView({ block: 'center' })
  }, [target])
  const lines = useMemo(
    () =>
      text.split('\n').map((content, index) => (
        <span key={index} class={index + 1 === line ? 'line target' : 'line'}>
          <Pieces text={content} marks="tokens and notes" />
          {'\n'}
        </span>
      )),
    [text, line],
  )
  const aside = (
    <>
      <span class="dim small">{sizeOf(countCharacters(text))}</span>
      <CopyButton text={text} label={`the ${name.toLowerCase()} text`} />
    </>
  )
  return (
    <Panel title={name} aria-label={`${name} text`} aside={aside}>
      <pre ref={box} class="raw" role="group" aria-label={`${name} text`} tabIndex={0}>
        {lines}
      </pre>
    </Panel>
  )
}

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
