import displayWidth from 'fast-string-width'

/** Characters as people see them: a flag or a family is one. */
const characters = new Intl.Segmenter()

/** Splits a text between whole characters. */
export function splitCharacters(text: string): string[] {
  return Array.from(characters.segment(text), ({ segment }) => segment)
}

/** Pads a text with spaces on the right to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Cuts a text to `width` columns, with `…` at the cut. The text must not contain styles yet. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of characters.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
