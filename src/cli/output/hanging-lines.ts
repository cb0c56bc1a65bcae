import { stripVTControlCharacters } from 'node:util'
import displayWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

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
