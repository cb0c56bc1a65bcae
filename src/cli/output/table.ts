import displayWidth from 'fast-string-width'
import { padEnd } from './display-width.ts'

/** Aligns cells in columns, separated by three spaces. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  )
}
