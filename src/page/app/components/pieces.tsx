import type { JSX } from 'preact'
import { annotate, type Piece } from '../annotate.ts'

/** Pieces of prompt text as text nodes: tokens marked, hidden characters shown by name. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): JSX.Element {
  return <>{pieces.map(pieceOf)}</>
}

function pieceOf(piece: Piece): JSX.Element | string {
  if (piece.kind === 'plain') return piece.text
  if (piece.kind === 'token') return <mark class="token">{piece.text}</mark>
  if (piece.kind === 'lint') return <span class="stray">{piece.text}</span>
  return <span class="hidden-character">{piece.shown}</span>
}

/** A short text from the service, such as a slug, with its invisible characters shown. */
export function RemoteText({ text }: { readonly text: string }): JSX.Element {
  const pieces = annotate(text).map((piece): Piece =>
    piece.kind === 'token' ? { kind: 'plain', text: piece.text } : piece,
  )
  return (
    <bdi>
      <Pieces pieces={pieces} />
    </bdi>
  )
}
