import type { Environment } from '../core/prompt.ts'
import { sanitize } from '../core/text/sanitize.ts'

/** The kind follows any lower-case prefix, since other deployments use their own. */
const KEY = /^[a-z][a-z0-9_]*?_(live|test)_[^\s]+$/

/** Other characters would end a header or be removed from it. */
const HEADER_SAFE = /^[\u0021-\u007e]+$/

/** The environment that a key reads, by its prefix; or the code of the error about it. */
export function parseKey(
  key: string,
):
  | { readonly environment: Environment }
  | { readonly problem: 'KEY_MALFORMED' | 'KEY_KIND_UNKNOWN' } {
  if (!HEADER_SAFE.test(key)) return { problem: 'KEY_MALFORMED' }
  const kind = KEY.exec(key)?.[1]
  return kind === 'live' || kind === 'test'
    ? { environment: kind }
    : { problem: 'KEY_KIND_UNKNOWN' }
}

/** A key with this many characters after its kind can't be guessed from its last four. */
const LONG_ENOUGH = 16

/** A key to show: `svc_live_…9f3a`, without the last four characters if it is short. */
export function maskKey(key: string): string {
  const [prefix = ''] = /^[a-z][a-z0-9_]*?_(?:live|test)_/.exec(key) ?? []
  const rest = key.slice(prefix.length)
  return `${prefix}…${rest.length < LONG_ENOUGH ? '' : rest.slice(-4)}`
}

/**
 * Text that looks like a key of this service. Lower-case letters alone are a name in code, such as
 * `update_live_recommendations`. The bounds keep millions of letters from overflowing the stack of
 * the regular expression.
 */
const KEY_LIKE = /\b[a-z][a-z0-9_]*?_(?:live|test)_(?=[a-z]{0,4000}[A-Z0-9])[A-Za-z0-9]{16,4000}/g

/**
 * Whether a text contains a secret or something that looks like a key.
 *
 * @param secrets - what {@link secretForms} returns
 */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  // Most texts have neither word, and searching for these is much faster.
  const mayHold = text.includes('_live_') || text.includes('_test_')
  if (mayHold && text.search(KEY_LIKE) !== -1) return true
  return secrets.some((secret) => text.includes(secret))
}

/** After the service's own prefix, the rest may be short or cut. */
const TYPED_KEY = new RegExp(`svc_(?:live|test)_|${KEY_LIKE.source}`)

/**
 * Returns the parts of a command-line argument that must not be printed: from the beginning of a key
 * to the end. After another prefix a whole key is required, so names such as `ab_test_variants` are
 * printed.
 *
 * @returns the longest first: for `svc_live_a=1` also `svc_live_a`, which could be parsed as an option
 */
export function findTypedKeys(word: string): string[] {
  const start = word.search(TYPED_KEY)
  if (start === -1) return []
  const key = word.slice(start)
  const [name = key] = key.split('=', 1)
  return name === key ? [key] : [key, name]
}

const MASK = '[key]'

/**
 * Masks secrets in a text, and everything that looks like a key.
 *
 * @param secrets - what {@link secretForms} returns
 */
export function redact(text: string, secrets: readonly string[]): string {
  // The longest first: a secret may be a part of another one.
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
    .replaceAll(KEY_LIKE, MASK)
}

/** A shorter part of a secret, or of its Base64, may be a word of a text. */
const MIN_PART = 12

/**
 * Every spelling of a secret, for all that must not contain it: bundles, public variables, texts, messages
 * and the page. White space around it is no part of it. A name in lower case, such as `service_account`, is
 * a part that does not count.
 */
export function secretForms(secret: string): string[] {
  // UTF-8 has no unpaired surrogates.
  const text = Buffer.from(secret.trim()).toString()
  const encoded = [text, sanitize(text)].flatMap((one) => [...inCode(one), ...inAddresses(one)])
  const minimum = Math.min(text.length, MIN_PART)
  const runs = text.match(/[\w-]+/g)?.filter((run) => /[A-Z\d]/.test(run)) ?? []
  const parts = [...inBase64(text), ...runs].filter((part) => part.length >= MIN_PART)
  const whole = [text, ...encoded].filter((form) => form !== '' && form.length >= minimum)
  return [...new Set([...whole, ...parts])]
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
