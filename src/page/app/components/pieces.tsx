import type { JSX } from 'preact'
import { annotate, type Piece } from '../annotate.ts'
import type { View } from '../route.ts'
import { useRouter } from '../use-route.ts'

/** Pieces of prompt text as text nodes: tokens marked, hidden characters shown by name. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): JSX.Element {
  return <>{pieces.map(pieceOf)}</>
}

function pieceOf(piece: Piece): JSX.Element | string {
  if (piece.kind === 'plain') return piece.text
  if (piece.kind === 'token') return <mark class="token">{piece.text}</mark>
  if (piece.kind === 'note') return <span class="note-text">{piece.text}</span>
  return <span class="hidden-character">{piece.shown}</span>
}

/** A text whose tokens are not marked. */
export function UnmarkedPieces({ text }: { readonly text: string }): JSX.Element {
  const pieces = annotate(text).map((piece): Piece =>
    piece.kind === 'token' ? { kind: 'plain', text: piece.text } : piece,
  )
  return <Pieces pieces={pieces} />
}

/** A short text from the service, such as a slug, with its invisible characters shown. */
export function RemoteText({ text }: { readonly text: string }): JSX.Element {
  return (
    <bdi>
      <UnmarkedPieces text={text} />
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
          <UnmarkedPieces key={index} text={part} />
        ),
      )}
    </>
  )
}

/** A link to a prompt: its slug, or `Try it`. */
export function PromptLink({
  slug,
  view = 'text',
}: {
  readonly slug: string
  readonly view?: View
}): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <a href={linkTo({ kind: 'prompt', slug, view })}>
      {view === 'try' ? 'Try it' : <RemoteText text={slug} />}
    </a>
  )
}
