import { hash } from 'node:crypto'
import type { Digest } from '../core/lock/integrity.ts'

/** SHA-256 of a text's UTF-8 bytes, written as `sha256-` and base64, as in lock files of npm. */
export const sha256: Digest = (text) => `sha256-${hash('sha256', text, 'base64')}`
