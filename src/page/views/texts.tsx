/** The texts of a prompt: one, or two with what differs. */
import type { JSX } from 'preact'
import { changedTexts } from '../../core/change-row.ts'
import type { PromptText } from '../../core/prompt.ts'
import { countCharacters } from '../../core/text/pluralize.ts'
import { diffTexts, type DiffLine, lineText } from '../../features/diff/text-diff.ts'
import type { PageRow } from '../shown.ts'
import { CopyButton, Panel, Pieces, sizeOf } from './pieces.tsx'

/** What the page calls the texts of a prompt. */
export const TEXT_NAMES = { system: 'System', user: 'User', source: 'Whole text' } as const

/** One text of a prompt, with its size and with line numbers, counted as in the lock and in notes. */
export function TextPanel({ field, text }: PromptText): JSX.Element {
  const name = TEXT_NAMES[field]
  const aside = (
    <>
      <span class="dim small">{sizeOf(countCharacters(text))}</span>
      <CopyButton text={text} label={`the ${name.toLowerCase()} text`} />
    </>
  )
  const lines = text.split('\n').map((line, index) => (
    <span class="line" id={`${field}-${index + 1}`}>
      <Pieces text={line} marks="tokens and notes" />
      {'\n'}
    </span>
  ))
  return (
    <Panel title={name} label={`${name} text`} id={field} aside={aside}>
      <pre class="raw" role="group" aria-label={`${name} text`} tabIndex={0}>
        {lines}
      </pre>
    </Panel>
  )
}

/** The texts that differ, until which there are none: the only diff of the page. */
export function Difference({ row }: { row: PageRow }): JSX.Element {
  const { slug, change } = row
  const panels = (change ? changedTexts(change) : []).map((text) => {
    const { environment, field, before, after } = text
    const title = `${TEXT_NAMES[field]}${environment === row.environment ? '' : ' (staging)'}`
    return (
      <Panel title={title} label={`${title} text of ${slug} compared`}>
        <div
          class="diff-scroller"
          role="group"
          tabIndex={0}
          aria-label={`${title} of ${slug}, inline`}
        >
          {diffTexts(before ?? '', after ?? '').map((hunk) => (
            <div class="hunk">{hunk.map(drawLine)}</div>
          ))}
        </div>
      </Panel>
    )
  })
  return <>{panels}</>
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const SPOKEN = { same: '', removed: 'removed: ', added: 'added: ' } as const

function drawLine({ kind, number, segments }: DiffLine): JSX.Element {
  const content = segments.map(({ text, changed }) => {
    const pieces = <Pieces text={text} marks="tokens" />
    return changed ? <mark>{pieces}</mark> : pieces
  })
  return (
    <div class={`diff-line ${kind}`}>
      <span class="number" aria-hidden="true" children={number} />
      <span class="sign" aria-hidden="true" children={SIGNS[kind]} />
      <span class="offscreen">{SPOKEN[kind]}</span>
      <span class="content">{content}</span>
    </div>
  )
}

/** A longer difference is closed at first: what is decided about it would be far below. */
const SHORT = { lines: 40, characters: 4000 }

export function isShort({ change }: PageRow): boolean {
  const lines = (change ? changedTexts(change) : []).flatMap(({ before, after }) =>
    diffTexts(before ?? '', after ?? '')
      .flat()
      .map(lineText),
  )
  return lines.length <= SHORT.lines && lines.join('').length <= SHORT.characters
}
