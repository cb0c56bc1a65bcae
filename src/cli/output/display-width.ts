import displayWidth from 'fast-string-width'

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
