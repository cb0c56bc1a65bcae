import type { PinnedPrompt } from '../prompt.ts'
import { printPrompt } from './print-prompt.ts'

/** Hashes a text, such as `sha256-…`: a port, since core has no cryptography of its own. */
export type Digest = (text: string) => string

/** A pull and a build ask several times for each of thousands of prompts. */
const cache = new WeakMap<PinnedPrompt, { readonly digest: Digest; readonly integrity: string }>()

/**
 * The hash of a prompt itself: over its fields as a lock prints them, without a held mark.
 *
 * @param printed - these fields, if they are printed already
 */
export function integrityOf(prompt: PinnedPrompt, digest: Digest, printed?: string): string {
  const last = cache.get(prompt)
  if (last?.digest === digest) return last.integrity
  const integrity = digest(printed ?? printPrompt(prompt))
  cache.set(prompt, { digest, integrity })
  return integrity
}
