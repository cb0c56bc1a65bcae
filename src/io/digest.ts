import { createHash } from 'node:crypto'
import type { Digest } from '../core/integrity.ts'

/** SHA-256 of a text's UTF-8 bytes, written as `sha256-` and base64, as in lock files of npm. */
export const sha256: Digest = (text) =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`
