import { redact } from '../config/api-key.ts'
import { sanitize } from '../core/text/sanitize.ts'

/** Makes a text safe to show: no control characters, and the key masked. */
export type Mask = (text: string) => string

/**
 * The mask for a key, which a service may echo anywhere. Sanitizing comes first, since
 * a key with an invisible character inside would be whole again after it; then every form that
 * the key takes in URLs (percent-encoded in a path, lower case in a host name) and in JSON, where
 * some escape the slash.
 */
export function createMask(key: string): Mask {
  const inJson = JSON.stringify(key).slice(1, -1)
  const escaped = inJson.replaceAll('/', String.raw`\/`)
  const forms = [key, encodeURIComponent(key), key.toLowerCase(), inJson, escaped]
  return (text) => forms.reduce(redact, sanitize(text))
}

/** The same details, every text in them masked. */
export function maskDetails<Details extends object>(details: Details, mask: Mask): Details {
  const entries = Object.entries(details).map(([name, value]) => [name, maskValue(value, mask)])
  return Object.fromEntries(entries) as Details
}

function maskValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value)
  return Array.isArray(value) ? value.map((item) => maskValue(item, mask)) : value
}

const EXCERPT_LENGTH = 80

/** The first 80 characters of a text, masked before they are cut, so that no part of the key shows. */
export function clip(text: string, mask: Mask): string {
  return [...mask(text).trim()].slice(0, EXCERPT_LENGTH).join('')
}

/** A body of this many bytes is enough to take an excerpt from. */
export const EXCERPT_BYTES: number = 64 * 1024

/** The beginning of a body for an error: of its `error` where it is the usual `{ "error": string }`. */
export function bodyExcerpt(body: Uint8Array, mask: Mask): string {
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES))
  return clip(readErrorField(text) ?? text, mask)
}

function readErrorField(text: string): string | undefined {
  try {
    // `Object` makes one of whatever it is, null too, so that every body can be asked for it.
    const { error }: { error?: unknown } = Object(JSON.parse(text))
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
