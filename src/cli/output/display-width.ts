import displayWidth from 'fast-string-width'

// The first one takes 5 ms of processor time, and most texts fit.
let segmenter: Intl.Segmenter | undefined

/** Splits a text between characters as people see them: a flag or a family is one. */
export function splitCharacters(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
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
