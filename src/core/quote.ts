/**
 * Characters that show nothing or turn the reading direction (FAULTS 36), as the inside of a
 * regular expression's character class.
 */
export const INVISIBLE: string =
  '\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}'

const ESCAPED = new RegExp(`[\\u007f-\\u009f${INVISIBLE}]`, 'gu')

/**
 * A text as a JSON string in which nothing is invisible: control, bidirectional and zero-width
 * characters and lone surrogates stand as `\u` escapes. It reads back to the same text.
 */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll(ESCAPED, escapeUnits)
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
