import type { Environment } from '../core/prompt.ts'
import { KEY_LIKE } from '../core/secrets.ts'

/** The kind follows any lower-case prefix, since other deployments use their own. */
const PREFIX = /^[a-z][a-z0-9_-]*?_(live|test)_(?=.)/

/** Other characters would end a header or be removed from it. */
const HEADER_SAFE = /^[\u0021-\u007e]+$/

/** The environment that a key reads, by its prefix; or the code of the error about it. */
export function parseKey(
  key: string,
):
  | { readonly environment: Environment }
  | { readonly problem: 'KEY_MALFORMED' | 'KEY_KIND_UNKNOWN' } {
  if (!HEADER_SAFE.test(key) || findWrapping(key) !== undefined) return { problem: 'KEY_MALFORMED' }
  const kind = PREFIX.exec(key)?.[1]
  return kind === 'live' || kind === 'test'
    ? { environment: kind }
    : { problem: 'KEY_KIND_UNKNOWN' }
}

export function isTestKey(key: string): boolean {
  return PREFIX.exec(key)?.[1] === 'test'
}

/** A key with this many characters after its kind can't be guessed from its last four. */
const LONG_ENOUGH = 16

/** A key to show: `svc_live_…9f3a`, without the last four characters if it is short. */
export function maskKey(key: string): string {
  const [prefix = ''] = PREFIX.exec(key) ?? []
  const rest = key.slice(prefix.length)
  return `${prefix}…${rest.length < LONG_ENOUGH ? '' : rest.slice(-4)}`
}

/** What is around a value that was taken with it, as `docker --env-file` takes quotes. */
export function findWrapping(value: string): 'quotes' | 'a line end' | undefined {
  if (/^\s*(["'`])[^]*\1\s*$/.test(value)) return 'quotes'
  return /^[\r\n]|[\r\n]$/.test(value) ? 'a line end' : undefined
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
