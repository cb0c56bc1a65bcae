import type { PinnedPrompt } from '../prompt.ts'
import { printPrompt } from './print-prompt.ts'

/** Hashes a text, such as `sha256-…`. Passed in, because core imports nothing from Node. */
export type Digest = (text: string) => string

/** A pull or build needs the hash of each prompt several times. */
const cache = new WeakMap<PinnedPrompt, { readonly digest: Digest; readonly integrity: string }>()

/**
 * Returns the hash of a prompt: over its fields as a lock prints them, without its hold.
 *
 * @param printed - these fields, if the caller has printed them
 */
export function integrityOf(prompt: PinnedPrompt, digest: Digest, printed?: string): string {
  const last = cache.get(prompt)
  if (last?.digest === digest) return last.integrity
  const integrity = digest(printed ?? printPrompt(prompt))
  cache.set(prompt, { digest, integrity })
  return integrity
}
