import { sanitize } from './text/sanitize.ts'

/**
 * Text that looks like a key of this service. Lower-case letters alone are a name in code, such as
 * `update_live_recommendations`; after another prefix than `svc_` so are words, such as `user_test_CreatesAccount`.
 * The bounds keep millions of letters from overflowing the stack of the regular expression.
 */
export const KEY_LIKE: RegExp =
  /\b(?:svc_(?:live|test)_(?=[a-z]{0,4000}[A-Z0-9])|[a-z][a-z0-9_]*?_(?:live|test)_(?=[A-Za-z]{0,4000}[0-9]|[A-Z]{16}))[A-Za-z0-9]{16,4000}/g

/**
 * Whether a text contains a secret or something that looks like a key.
 *
 * @param secrets - what {@link secretForms} returns
 */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  // Most texts have neither word, and searching for these is much faster.
  const mayHold = text.includes('_live_') || text.includes('_test_')
  if (mayHold && text.search(KEY_LIKE) !== -1) return true
  return hasSecret(text, secrets)
}

const MASK = '[key]'

/**
 * Masks secrets in a text, and everything that looks like a key.
 *
 * @param secrets - what {@link secretForms} returns
 */
export function redact(text: string, secrets: readonly string[]): string {
  return maskSecrets(text, secrets).replaceAll(KEY_LIKE, MASK)
}

/**
 * Masks secrets in a text, also where escapes of JavaScript spell them.
 *
 * @param secrets - what {@link secretForms} returns
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text
  // The longest first: a secret may be a part of another one.
  const sorted = secrets.toSorted((a, b) => b.length - a.length)
  const masked = sorted.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
  const plain = withoutEscapes(masked)
  if (plain === masked) return masked
  return sorted
    .filter((secret) => plain.includes(secret))
    .reduce((rest, secret) => rest.replaceAll(escapedPattern(secret), MASK), masked)
}

/**
 * A value of JSON with each text in it changed: what masks it before it is escaped, cut or styled, after which
 * no search would find a secret.
 */
export function changeTexts<Value>(value: Value, change: (text: string) => string): Value {
  const json = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? change(part) : part,
  )
  return JSON.parse(json) as Value
}

/**
 * Whether a text contains a secret, also where escapes of JavaScript spell it.
 *
 * @param secrets - what {@link secretForms} returns
 */
export function hasSecret(text: string, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => text.includes(secret))) return true
  const plain = secrets.length === 0 ? text : withoutEscapes(text)
  return plain !== text && secrets.some((secret) => plain.includes(secret))
}

/** What begins an escape: a source map is JSON of code, and doubles its backslashes. */
const BACKSLASHES = String.raw`\\{1,4}`
const ESCAPE = new RegExp(
  String.raw`${BACKSLASHES}(?:x([\da-f]{2})|u([\da-f]{4})|u\{0{0,8}([\da-f]{1,6})\})`,
  'gi',
)

function withoutEscapes(text: string): string {
  return text.replaceAll(ESCAPE, (escape: string, ...digits: (string | undefined)[]) => {
    const code = parseInt(digits.slice(0, 3).join(''), 16)
    return code > 0x10ffff ? escape : String.fromCodePoint(code)
  })
}

/** Matches a text of which any characters may be escaped. */
function escapedPattern(text: string): RegExp {
  const hex = (code: number, length: number): string => code.toString(16).padStart(length, '0')
  const characters = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    const units = Array.from({ length: character.length }, (_, index) =>
      hex(character.charCodeAt(index), 4),
    )
    const escapes = [
      units.map((unit) => `${BACKSLASHES}u${unit}`).join(''),
      String.raw`${BACKSLASHES}u\{0{0,8}${hex(code, 1)}\}`,
      ...(code > 0xff ? [] : [`${BACKSLASHES}x${hex(code, 2)}`]),
    ]
    return `(?:${[character.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`), ...escapes].join('|')})`
  })
  return new RegExp(characters.join(''), 'gi')
}

/** A shorter part of a secret may be a word of a text. */
const MIN_PART = 12

/** A shorter value can't be told from other text. */
const MIN_SECRET = 8

/** Whether a key or secret is too short to be searched for. */
export function isShort(secret: string): boolean {
  return trim(secret).length < MIN_SECRET
}

function trim(value: string): string {
  return value.trim().replace(/^(["'`])([^]*)\1$/, '$2')
}

/**
 * The spellings of a secret, for all that must not contain it: bundles, public variables, texts, messages, debug
 * lines and the page; none of a short one. {@link hasSecret} and {@link maskSecrets} also find the escapes of
 * JavaScript. White space and quotes around it are no part of it. A name in lower case, such as
 * `service_account`, is a part that does not count.
 */
export function secretForms(secret: string): string[] {
  if (isShort(secret)) return []
  // UTF-8 has no unpaired surrogates.
  const text = Buffer.from(trim(secret)).toString()
  const encoded = [text, sanitize(text)].flatMap((one) => [...inCode(one), ...inAddresses(one)])
  const minimum = Math.min(text.length, MIN_PART)
  const runs = text.match(/[\w-]+/g)?.filter((run) => /[A-Z\d]/.test(run)) ?? []
  const parts = runs.filter((part) => part.length >= MIN_PART)
  const whole = [text, ...encoded].filter((form) => form.length >= minimum)
  return [...new Set([...whole, ...inBase64(text), ...parts])]
}

/** Inside the quotes of JSON, of the other literals of JavaScript, and as a message prints it. */
function inCode(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1)
  const unquoted = inJson.replaceAll(String.raw`\"`, '"')
  return [
    text,
    inJson,
    inJson.replaceAll('/', String.raw`\/`),
    unquoted,
    unquoted.replaceAll("'", String.raw`\'`),
    unquoted.replaceAll(/`|\$(?=\{)/g, String.raw`\$&`),
    text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`),
  ]
}

/** In each place of a URL, with digits of either case, and in lower case in the name of a host. */
function inAddresses(text: string): string[] {
  const url = new URL('https://host')
  url.pathname = url.search = url.username = text
  const encoded = encodeURIComponent(text)
  const forms = [
    encoded,
    encoded.replaceAll("'", '%27'),
    new URLSearchParams({ '': text }).toString().slice(1),
    url.pathname.slice(1),
    url.search.slice(1),
    url.username,
  ]
  const inLowerCase = forms.map((form) => form.replaceAll(/%../g, (code) => code.toLowerCase()))
  return [...forms, ...inLowerCase, text.toLowerCase()]
}

/**
 * The characters of Base64 that only the secret decides, after each number of bytes before it: a header or a
 * bundle may have `Bearer key` or `user:key`.
 */
function inBase64(text: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${'.'.repeat(offset)}${text}`).toString('base64')
    const bits = (offset + Buffer.byteLength(text)) * 8
    const form = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6))
    const urlSafe = form.replaceAll('+', '-').replaceAll('/', '_')
    return [form, urlSafe, form.replaceAll('/', String.raw`\/`)]
  })
}
