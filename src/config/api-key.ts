import type { Environment } from '../core/prompt.ts'

/** The kind follows any lower-case prefix, since other deployments use their own. */
const KEY = /^[a-z][a-z0-9_]*?_(live|test)_[^\s]+$/

/** What a key's prefix says it serves, or `undefined` where it says neither `live` nor `test`. */
export function keyEnvironment(key: string): Environment | undefined {
  const kind = KEY.exec(key)?.[1]
  return kind === 'live' || kind === 'test' ? kind : undefined
}

/** Characters after the kind of a key, from which the last four don't help to guess it. */
const LONG_ENOUGH = 16

/** A key to show: `svc_live_…9f3a`, without the last four characters if it is short. */
export function maskKey(key: string): string {
  const [prefix = ''] = /^[a-z][a-z0-9_]*?_(?:live|test)_/.exec(key) ?? []
  const rest = key.slice(prefix.length)
  return `${prefix}…${rest.length < LONG_ENOUGH ? '' : rest.slice(-4)}`
}

/**
 * Something that looks like a key of this service: no prompt may carry one into a lock.
 * Lower-case letters alone are a name in code, such as `update_live_recommendations`. No key is
 * as long as the bounds, which keep millions of letters from overflowing the expression's stack.
 */
const KEY_LIKE = /\b[a-z][a-z0-9_]*?_(?:live|test)_(?=[a-z]{0,4000}[A-Z0-9])[A-Za-z0-9]{16,4000}/g

/** Whether a text holds the key itself or something that looks like one. */
export function containsKey(text: string, key: string | undefined): boolean {
  return containsKeyLike(text) || (key !== undefined && key !== '' && text.includes(key))
}

/** Most texts hold none of the words in the middle, which are found much faster than the whole. */
function containsKeyLike(text: string): boolean {
  const mayHold = text.includes('_live_') || text.includes('_test_')
  return mayHold && text.search(KEY_LIKE) !== -1
}

/** The service's own prefixes say enough, however short or cut the rest is. */
const TYPED_KEY = new RegExp(`svc_(?:live|test)_|${KEY_LIKE.source}`)

/**
 * What must not be shown again of a word that a person typed: from the beginning of a key to the
 * end. Names such as `ab_test_variants` may be shown, so another prefix takes a whole key behind it.
 *
 * @returns the longest first: of `svc_live_a=1` also `svc_live_a`, which may be taken for an option
 */
export function findTypedKeys(word: string): string[] {
  const start = word.search(TYPED_KEY)
  if (start === -1) return []
  const key = word.slice(start)
  const [name = ''] = key.split('=', 1)
  return name === key ? [key] : [key, name]
}

const MASK = '[key]'

/** The text with every occurrence of the key, and of what looks like one, masked. */
export function redact(text: string, key: string): string {
  return (key === '' ? text : text.replaceAll(key, MASK)).replaceAll(KEY_LIKE, MASK)
}
