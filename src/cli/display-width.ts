import { stripVTControlCharacters } from 'node:util'

/** Scripts and signs that terminals draw two columns wide (Unicode Standard Annex 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** Signs that take no column of their own. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}\ufe0f]/u

/** How many columns of a terminal a text takes, without its styles; near enough to align tables. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text)) {
    if (WIDE.test(character)) width += 2
    else if (!NARROW.test(character)) width++
  }
  return width
}

/** The text with blanks behind it, up to so many columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** The text cut to so many columns, with `…` for what is gone; styles must not be in it yet. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}
