import { INVISIBLE_CHARACTERS } from './json-string.ts'

const HIDDEN = new RegExp(
  `[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f${INVISIBLE_CHARACTERS}]|\\p{Cs}`,
  'gu',
)

/**
 * One line of remote text with everything shown that would show nothing or steer a terminal: C0
 * controls as their pictures (`␛`), bidirectional, zero-width and other hidden characters by
 * number (`⟨U+202E⟩`). Tabs stay. The line must not be the beginning of a line of output: put a
 * gutter before it.
 */
export function makeVisible(line: string): string {
  return line.replaceAll(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '␡'
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
