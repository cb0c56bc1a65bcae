/**
 * Characters that are invisible or change the reading direction, as the content of a regular
 * expression's character class. U+FFFD is among them, because it stands for bytes that are not UTF-8.
 *
 * The set is part of the lock format, because hashes are over escaped text: a change needs a new
 * `lockVersion`. `\p{Default_Ignorable_Code_Point}` would grow with the Unicode version of Node.
 */
export const INVISIBLE_CHARACTERS: string =
  '\\u00ad\\u034f\\u061c\\u070f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffd' +
  '\\u{13430}-\\u{1343f}\\u{16fe4}\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}' +
  '\\u{e0000}-\\u{e0fff}'

/** The blocks of emoji that U+FE0F can follow. Keycaps such as `1️⃣` have it before U+20E3. */
const EMOJI =
  '\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2194-\\u21aa\\u231a-\\u23ff\\u24c2\\u25aa-\\u25fe' +
  '\\u2600-\\u27bf\\u2934\\u2935\\u2b05-\\u2b55\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}'

/** Matches U+FE0F where it belongs to no emoji. */
export const LONE_SELECTOR: string = `(?<![${EMOJI}])\\ufe0f(?!\\u20e3)|(?<![${EMOJI}#*0-9])\\ufe0f`

/** Unpaired surrogates are among them: decoding UTF-8 leaves none, but a caller's text can have one. */
const ESCAPED = new RegExp(
  `[\\u007f-\\u009f\\ud800-\\udfff${INVISIBLE_CHARACTERS}]|${LONE_SELECTOR}`,
  'gu',
)

/**
 * Prints a text as a JSON string without invisible characters: control, bidirectional and zero-width
 * characters and unpaired surrogates become `\u` escapes.
 */
export function printJsonString(text: string): string {
  return escapeInvisible(JSON.stringify(text))
}

export function parseJsonString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Escapes invisible characters in a JSON text, where they can only be inside strings. */
export function escapeInvisible(json: string): string {
  // Most texts are ASCII, and this search is much faster.
  return /[^\n -~]/.test(json) ? json.replaceAll(ESCAPED, escapeUnits) : json
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
