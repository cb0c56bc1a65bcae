import { stripVTControlCharacters } from 'node:util'
import displayWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import type { Segment } from '../../features/diff/text-diff.ts'

// The first one takes 5 ms of processor time, and most texts fit.
let segmenter: Intl.Segmenter | undefined

/** `Intl.Segmenter` copies its input once per character, so its input has to be short. */
const BLOCK = 128

/** Splits a text between characters as people see them: a flag or a family is one. */
export function* splitCharacters(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter()
  for (let start = 0; start < text.length;) {
    const block = text.slice(start, start + BLOCK)
    const characters = Array.from(segmenter.segment(block), ({ segment }) => segment)
    // What follows may belong to the last one, or to the one before if a surrogate pair is cut.
    if (start + BLOCK < text.length && characters.length > 2) characters.splice(-2)
    yield* characters
    start += characters.join('').length
  }
}

/** Pads a text with spaces on the right to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Cuts a text to `width` columns, with `…` at the cut. The text must not contain styles yet. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  for (const character of splitCharacters(text)) {
    if (displayWidth(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Narrower texts are harder to read than lines that the terminal breaks. */
const MIN_WIDTH = 20

/**
 * A text after its prefix, wrapped between words. Longer words, such as paths, are not broken.
 *
 * @param lead - the prefix of the first line; the other lines are indented by its width
 * @param columns - of the screen; `Infinity` for files, which get whole lines
 */
export function hangingLines(text: string, lead: string, columns: number): string[] {
  if (!Number.isFinite(columns)) return [lead + text]
  const indent = displayWidth(lead)
  const lines = wrapAnsi(text, Math.max(MIN_WIDTH, columns - indent)).split('\n')
  return lines.map((line, index) => (index === 0 ? lead : ' '.repeat(indent)) + line)
}

/** What a line begins with: spaces and a sign. */
const LEAD = /^( *)((?:[✔✖▲●○→↻] )?)/

/** A line wrapped between words. Its own indentation and sign determine that of the other lines. */
export function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line]
  const [lead = '', spaces = ''] = LEAD.exec(stripVTControlCharacters(line)) ?? []
  const rows = wrapAnsi(line, Math.max(MIN_WIDTH, columns - displayWidth(lead))).split('\n')
  return rows.map((row, index) => (index === 0 ? spaces : ' '.repeat(displayWidth(lead))) + row)
}

/** The cells of a table. */
export type Rows = readonly (readonly string[])[]

/** Spaces between columns, if a table does not set it. */
export const GAP = 3

/** Aligns cells in columns. */
export function alignColumns(rows: Rows, gap: number = GAP): string[] {
  const widths = columnWidths(rows)
  return rows.map((row) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** The width of each column: that of its widest cell. */
export function columnWidths(rows: Rows): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
    }
  }
  return widths
}

/** If the last cells would be narrower, they go below the others. */
const MIN_LAST_CELL = 30

/** Aligns rows of equally many cells, and wraps the last cells of a table that exceeds `columns`. */
export function wrapRows(rows: Rows, columns: number, gap: number = GAP): string[][] {
  const lines = alignColumns(rows, gap)
  if (lines.every((line) => displayWidth(line) <= columns)) return lines.map((line) => [line])
  const others = rows.map((row) => row.slice(0, -1))
  const start = columnWidths(others).reduce((sum, width) => sum + width + gap, 0)
  return alignColumns(others, gap).map((head, index) => {
    const last = rows[index]?.at(-1) ?? ''
    return columns - start < MIN_LAST_CELL
      ? cellsBelow(head, last, columns)
      : hangingLines(last, padEnd(head, start), columns)
  })
}

function cellsBelow(head: string, last: string, columns: number): string[] {
  const text = head.trimStart()
  const indent = ' '.repeat(head.length - text.length)
  const lead = `${indent}    `
  // Columns that don't fit need no alignment.
  const cells = displayWidth(head) <= columns ? text : text.replaceAll(/ {4,}/g, '   ')
  const [first = '', ...more] = hangingLines(cells, indent, columns)
  return [
    first,
    ...more.map((line) => lead + line.trimStart()),
    ...(last === '' ? [] : hangingLines(last, lead, columns)),
  ]
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
