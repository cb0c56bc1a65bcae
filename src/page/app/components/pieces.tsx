import type { JSX } from 'preact'
import { annotate, type Marks, nameOf, type Piece } from '../annotate.ts'

interface PiecesProps {
  readonly text: string
  readonly marks?: Marks
}

/** Prompt text as text nodes: tokens and notes marked, hidden characters by name. */
export function Pieces({ text, marks = 'nothing' }: PiecesProps): JSX.Element {
  return <>{annotate(text, marks).map(pieceOf)}</>
}

function pieceOf({ kind, text }: Piece): JSX.Element | string {
  if (kind === 'plain') return text
  if (kind === 'token') return <mark class="token">{text}</mark>
  if (kind === 'note') return <span class="note-text">{text}</span>
  return <span class="hidden-character">{nameOf(text)}</span>
}

/** A short text from the service, such as a slug. */
export function RemoteText({ text }: { readonly text: string }): JSX.Element {
  return (
    <bdi>
      <Pieces text={text} />
    </bdi>
  )
}

/** The same in code. */
export function RemoteCode({ text }: { readonly text: string }): JSX.Element {
  return (
    <code>
      <RemoteText text={text} />
    </code>
  )
}

/** One line with code between backticks; may contain remote text. */
export function Reason({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split('`')
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? (
          <RemoteCode key={index} text={part} />
        ) : (
          <Pieces key={index} text={part} />
        ),
      )}
    </>
  )
}
