import { redact } from '../config/api-key.ts'
import { sanitize } from '../core/text/sanitize.ts'

/** Makes a text safe to print: removes control characters and masks the key. */
export type Mask = (text: string) => string

/**
 * Creates the mask for secrets, which a service may echo anywhere. Sanitizes first, because removing an
 * invisible character could restore a key.
 *
 * @param secrets - every spelling of them
 */
export function createMask(secrets: readonly string[]): Mask {
  return (text) => redact(sanitize(text), secrets)
}

/** Returns the first characters of a text. Masks before cutting, so no part of the key remains. */
export function clip(text: string, mask: Mask, length: number = 80): string {
  return [...mask(text).trim()].slice(0, length).join('')
}

/** The number of bytes of a body that an excerpt needs. */
export const EXCERPT_BYTES: number = 64 * 1024

/** Returns the beginning of a body for an error, or of its field `error` if it is `{ "error": string }`. */
export function bodyExcerpt(body: Uint8Array, mask: Mask): string {
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES))
  const error = readErrorField(text)
  return error === undefined ? clip(text, mask) : clip(error, mask, 200)
}

function readErrorField(text: string): string | undefined {
  try {
    // `Object` turns any value into an object, including null.
    const { error }: { error?: unknown } = Object(JSON.parse(text))
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
