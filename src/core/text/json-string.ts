/**
 * Characters that show nothing or change the reading direction, as the inside of a regular
 * expression's character class. U+FE0F is left out: it makes the usual emoji.
 *
 * The set is part of the lock's format, whose hashes are over escaped text: a change needs a new
 * `lockVersion`. So it is written out instead of `\p{Default_Ignorable_Code_Point}`, which grows
 * with the Unicode version of Node.
 */
export const INVISIBLE_CHARACTERS: string =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}' +
  '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'

const ESCAPED = new RegExp(`[\\u007f-\\u009f${INVISIBLE_CHARACTERS}]`, 'gu')

/**
 * A text as a JSON string in which nothing is invisible: control, bidirectional and zero-width
 * characters and lone surrogates stand as `\u` escapes. It reads back to the same text.
 */
export function printJsonString(text: string): string {
  return escapeInvisible(JSON.stringify(text))
}

/** The text of a JSON string; `undefined` for anything else. */
export function parseJsonString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** {@link printJsonString} for a whole JSON text, in which such characters stand nowhere but inside strings. */
export function escapeInvisible(json: string): string {
  return json.replaceAll(ESCAPED, escapeUnits)
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
