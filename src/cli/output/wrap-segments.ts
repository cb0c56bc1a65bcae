import displayWidth from 'fast-string-width'
import type { Segment } from '../../features/diff/text-diff.ts'
import { splitCharacters } from './display-width.ts'

/** Wraps a line into rows of a maximum width, after spaces if possible. */
export function wrapSegments(segments: readonly Segment[], width: number): Segment[][] {
  if (!Number.isFinite(width)) return [[...segments]]
  const most = Math.max(20, width)
  const rows: Segment[][] = [[]]
  let used = 0
  for (const { text, changed } of segments) {
    for (const piece of piecesOf(text, most)) {
      const columns = displayWidth(piece)
      if (used > 0 && used + displayWidth(piece.trimEnd()) > most) {
        rows.push([])
        used = 0
      }
      rows.at(-1)?.push({ text: piece, changed })
      used += columns
    }
  }
  return rows.map(mergeEqualSegments)
}

/** Words, or whole tokens, with the spaces after them. Those too long for a row are split. */
function piecesOf(text: string, most: number): string[] {
  return (text.match(/\s*(?:\{\{[^{}]*\}\}|\S)+\s*|\s+/gu) ?? []).flatMap((word) => {
    if (displayWidth(word) <= most) return [word]
    const characters = splitCharacters(word)
    const size = Math.floor(most / 2)
    return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
      characters.slice(index * size, (index + 1) * size).join(''),
    )
  })
}

function mergeEqualSegments(row: readonly Segment[]): Segment[] {
  const merged: Segment[] = []
  for (const segment of row) {
    const last = merged.at(-1)
    if (last?.changed === segment.changed) {
      merged[merged.length - 1] = { ...segment, text: last.text + segment.text }
    } else merged.push(segment)
  }
  return merged
}
