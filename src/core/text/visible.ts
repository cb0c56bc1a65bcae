import { INVISIBLE_CHARACTERS, LONE_SELECTOR } from './json-string.ts'

const HIDDEN = new RegExp(
  `[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f${INVISIBLE_CHARACTERS}]|\\p{Cs}|${LONE_SELECTOR}`,
  'gu',
)

/**
 * Makes the hidden characters of a line visible: C0 controls become pictures (`␛`), bidirectional,
 * zero-width and other hidden characters become numbers (`⟨U+202E⟩`). Tabs stay. Print a gutter
 * before the result: at the beginning of a line it could be a command to a CI server.
 */
export function makeVisible(line: string): string {
  return line.replaceAll(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '␡'
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
