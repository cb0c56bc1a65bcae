import displayWidth from 'fast-string-width'
import type { Segment } from '../../features/diff/text-diff.ts'
import type { Channel } from './channel.ts'
import { splitCharacters } from './display-width.ts'

/** Width of the line numbers. */
const NUMBERS = 6

/** How a line of a text is printed behind its number. */
interface NumberedLine {
  readonly number: number
  /** What follows the number. Default: nothing. */
  readonly sign?: string
  readonly segments: readonly Segment[]
  readonly paint: (segment: Segment) => string
}

/** Prints a line of a text behind its number, wrapped below itself. */
export function printNumberedLine(
  { number, sign = '', segments, paint }: NumberedLine,
  channel: Channel,
): void {
  const gutter = NUMBERS + displayWidth(sign) + 2
  for (const [index, row] of wrapSegments(segments, channel.columns - gutter).entries()) {
    const label = channel.dim((index === 0 ? String(number) : '').padStart(NUMBERS))
    channel.line(`${label} ${sign} ${row.map(paint).join('')}`.trimEnd())
  }
}

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
    const characters = [...splitCharacters(word)]
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
