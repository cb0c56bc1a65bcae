/**
 * How texts fit on a screen. A long line wraps below its own indentation. A table has rows of cells, of which
 * only the last one wraps: in its column, or below the others where that would be too narrow. A line with
 * formats is a list of parts, which wraps as a whole.
 */
import { stripVTControlCharacters } from 'node:util'
import displayWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** Cuts a text to `width` columns, with `…` at the cut. The text must not contain styles yet. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let start = ''
  for (const character of charactersOf(text)) {
    if (displayWidth(start + character) > width - 1) break
    start += character
  }
  return `${start}…`
}

/**
 * Characters as people see them: a flag or a family is one. `Intl.Segmenter` knows more scripts, but takes
 * quadratic time (Node 20.20: 20 s for 100,000 characters).
 */
function charactersOf(text: string): readonly string[] {
  // Made on use, since that takes 15 ms, half as long as Node's start. V8 keeps it for the next use.
  return text.match(new RegExp(String.raw`(?:\p{RGI_Emoji}|.)\p{M}*`, 'gsv')) ?? []
}

/** Pads a text with spaces on the right to `width` columns. */
function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Narrower texts are harder to read than lines that the terminal breaks. */
const MIN_WIDTH = 20

/** What a line begins with: spaces and a sign. */
const LEAD = /^( *)((?:[✔✖▲○→↻] )?)/

/**
 * A line wrapped between words. Its own indentation and sign determine that of the other lines. Longer
 * words, such as paths, are not broken.
 */
export function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line]
  const [lead = '', spaces = ''] = LEAD.exec(stripVTControlCharacters(line)) ?? []
  return hangingLines(line.trimStart(), { lead: spaces, indent: displayWidth(lead), columns })
}

/** The lines of a text: the first one after a lead, the others indented. */
function hangingLines(
  text: string,
  { lead, indent, columns }: { lead: string; indent: number; columns: number },
): string[] {
  const width = Math.max(MIN_WIDTH, columns - indent)
  const lines = text
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? line : wrapAnsi(line, width).split('\n')))
  return lines.map((line, index) => (index === 0 ? lead : ' '.repeat(indent)) + line)
}

/** The cells of a table: equally many in each row. */
export type Rows = readonly (readonly string[])[]

/** Spaces between columns. */
const GAP = 3

/** Aligns cells in columns. */
export function alignColumns(rows: Rows): string[] {
  const widths = columnWidths(rows)
  return rows.map((row) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

/** The width of each column: that of its widest cell. */
function columnWidths(rows: Rows): number[] {
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

/** Aligns rows, whose last cells may have several lines and wrap in their column. */
export function wrapRows(rows: Rows, columns: number): string[][] {
  const others = rows.map((row) => row.slice(0, -1))
  const indent = columnWidths(others).reduce((sum, width) => sum + width + GAP, 0)
  const lastCells = rows.map((row) => row.at(-1) ?? '')
  const lastLines = lastCells.flatMap((cell) => cell.split('\n'))
  const fits = lastLines.every((line) => indent + displayWidth(line) <= columns)
  const isNarrow = !fits && columns - indent < MIN_LAST_CELL
  return alignColumns(others).map((head, index) => {
    const last = lastCells[index] ?? ''
    if (isNarrow) {
      const [lead = ''] = /^ */.exec(head) ?? []
      const below = last.split('\n').map((line) => `${lead}    ${line}`.trimEnd())
      return [head, ...below].filter(Boolean).flatMap((line) => wrapLine(line, columns))
    }
    const lead = padEnd(head, indent)
    return hangingLines(last, { lead, indent, columns }).map((line) => line.trimEnd())
  })
}

/** Wraps the parts of a line into rows of a maximum width, after spaces if possible. */
export function wrapParts<Part extends { readonly text: string }>(
  parts: readonly Part[],
  width: number,
): Part[][] {
  const most = Math.max(MIN_WIDTH, width)
  const rows: Part[][] = [[]]
  let used = 0
  for (const part of parts) {
    let text = ''
    for (const word of wordsOf(part.text, most)) {
      if (used > 0 && used + displayWidth(word.trimEnd()) > most) {
        if (text !== '') rows.at(-1)?.push({ ...part, text })
        rows.push([])
        text = ''
        used = 0
      }
      text += word
      used += displayWidth(word)
    }
    if (text !== '') rows.at(-1)?.push({ ...part, text })
  }
  return rows
}

/** Where a word begins or a token goes on. A loop over millions of spaces would overflow the stack. */
const AFTER_SPACE = /(?<=\s)(?=\S)(?!\}\})/

/** Words, or whole tokens, with the spaces after them; the characters of those too long for a row. */
function wordsOf(text: string, most: number): string[] {
  const pieces = text.split(AFTER_SPACE)
  const words: string[] = []
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]?.trimEnd()
    const isInside = before === '' || before?.endsWith('{{')
    words.push(isInside ? `${words.pop()}${piece}` : piece)
  }
  return words.flatMap((word) => (displayWidth(word) <= most ? word : charactersOf(word)))
}
