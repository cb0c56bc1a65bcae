import displayWidth from 'fast-string-width'
import { padEnd } from './display-width.ts'
import { hangingLines } from './hanging-lines.ts'
import type { Channel } from './channel.ts'

type Rows = readonly (readonly string[])[]

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

/** Prints aligned rows, whose last cells wrap in their column on a terminal. */
export function printRows(rows: Rows, channel: Channel): void {
  for (const line of wrapRows(rows, channel.columns).flat()) channel.line(line)
}

/** A narrower last cell goes below the others. */
const MIN_LAST_CELL = 30

/** Aligns rows of equally many cells, and wraps the last cell of those that exceed `columns`. */
export function wrapRows(rows: Rows, columns: number, gap: number = GAP): string[][] {
  const heads = alignColumns(
    rows.map((row) => row.slice(0, -1)),
    gap,
  )
  const start = columnWidths(rows)
    .slice(0, -1)
    .reduce((sum, width) => sum + width + gap, 0)
  return alignColumns(rows, gap).map((line, index) => {
    if (displayWidth(line) <= columns) return [line]
    const [head = '', last = ''] = [heads[index], rows[index]?.at(-1)]
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
