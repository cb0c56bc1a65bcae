import { hash } from 'node:crypto'
import type { Digest } from '../core/lock/integrity.ts'

/** SHA-256 of a text's UTF-8 bytes as `sha256-` and base64, as in npm's package-lock.json. */
export const sha256: Digest = (text) => `sha256-${hash('sha256', text, 'base64')}`

/** The same for a file's bytes. A text of 28 MB takes three times as long: it is decoded and encoded. */
export function sha256OfBytes(bytes: Uint8Array): string {
  return `sha256-${hash('sha256', bytes, 'base64')}`
}
