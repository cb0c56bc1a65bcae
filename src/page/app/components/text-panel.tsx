import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { countCharacters } from '../../../core/text/characters.ts'
import { formatCount } from '../../../core/text/pluralize.ts'
import type { PromptView } from '../entries.ts'
import { annotateLines } from '../annotate.ts'
import { sizeOf } from '../numbers.ts'
import type { TextField, TextPlace } from '../places.ts'
import { Panel } from './boxes.tsx'
import { CopyButton } from './copy-button.tsx'
import { Pieces } from './pieces.tsx'

/** What the page calls the texts of a prompt. */
export const TEXT_NAMES = { system: 'System', user: 'User', source: 'Whole text' } as const

interface TextProps {
  readonly prompt: PromptView
  readonly field: TextField
  /** The line to scroll to, of any text; a new object scrolls again. */
  readonly target: TextPlace | undefined
}

/** One text of a prompt, with its size. */
export function TextPanel(props: TextProps): JSX.Element {
  const { prompt, field } = props
  const text = prompt[field]
  const name = TEXT_NAMES[field]
  return (
    <Panel
      title={name}
      aria-label={`${name} text`}
      data-field={field}
      aside={
        <>
          <span class="dim small">{sizeOf(countCharacters(text))}</span>
          <CopyButton text={text} label={`the ${name.toLowerCase()} text`} />
        </>
      }
    >
      <RawText {...props} />
    </Panel>
  )
}

/** The number of lines shown at first; a button shows more. */
const PAGE = 2000

/** A text with line numbers, counted as in the lock and in notes. */
function RawText({ prompt, field, target: place }: TextProps): JSX.Element {
  const target = place?.field === field ? place : undefined
  const box = useRef<HTMLPreElement>(null)
  const [shown, setShown] = useState(PAGE)
  const lines = useMemo(() => {
    const notes = prompt.notes.filter((note) => note.field === field)
    return annotateLines(prompt[field], notes)
  }, [prompt, field])
  const end = Math.max(shown, target?.line ?? 0)
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
      <pre ref={box} class="raw" role="group" aria-label={`${TEXT_NAMES[field]} text`} tabIndex={0}>
        {drawn}
      </pre>
      {lines.length > end && (
        <button type="button" class="button more" onClick={() => setShown(end + 5 * PAGE)}>
          {`Show more of ${formatCount(lines.length)} lines`}
        </button>
      )}
    </>
  )
}
