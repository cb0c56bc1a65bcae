import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Note } from '../../../core/notes.ts'
import type { PromptText } from '../../../core/prompt.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import { sizeOf } from '../numbers.ts'
import { Panel } from './boxes.tsx'
import { CopyButton } from './copy.tsx'
import { Pieces } from './pieces.tsx'

/** What the page calls the texts of a prompt. */
export const TEXT_NAMES = { system: 'System', user: 'User', source: 'Whole text' } as const

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
