import { redact } from '../core/secrets.ts'
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

/** Returns what a body says of an error, in its field `message` or `error`; otherwise its beginning. */
export function bodyExcerpt(body: Uint8Array, mask: Mask): string {
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES))
  const message = readMessage(text)
  return message === undefined ? clip(text, mask) : clip(message, mask, 200)
}

function readMessage(text: string): string | undefined {
  try {
    // `Object` turns any value into an object, including null.
    const { message, error }: { message?: unknown; error?: unknown } = Object(JSON.parse(text))
    return [message, error].find((field) => typeof field === 'string')
  } catch {
    return undefined
  }
}
