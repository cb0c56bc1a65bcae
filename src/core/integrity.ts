import type { PinnedPrompt } from './prompt.ts'

/** Hashes a text, such as `sha256-…`: a port, since core has no cryptography of its own. */
export type Digest = (text: string) => string

/** The hash over everything the lock says of one prompt. */
export function integrityOf(prompt: PinnedPrompt, digest: Digest): string {
  return prompt instanceof HashedPrompt ? prompt.integrity(digest) : hash(prompt, digest)
}

/**
 * A prompt that is hashed once, however often its integrity is asked for: a pull and a build ask
 * several times, for each of thousands. A changed copy of it is another object, without the hash.
 */
export class HashedPrompt implements PinnedPrompt {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly version: string
  readonly system: string
  readonly user: string
  readonly source: string
  #known: { readonly digest: Digest; readonly integrity: string } | undefined

  constructor(prompt: PinnedPrompt) {
    this.slug = prompt.slug
    this.folder = prompt.folder
    this.model = prompt.model
    this.temperature = prompt.temperature
    this.version = prompt.version
    this.system = prompt.system
    this.user = prompt.user
    this.source = prompt.source
  }

  /** @see integrityOf */
  integrity(digest: Digest): string {
    if (this.#known?.digest !== digest) this.#known = { digest, integrity: hash(this, digest) }
    return this.#known.integrity
  }
}

function hash(prompt: PinnedPrompt, digest: Digest): string {
  const { slug, folder, model, temperature, version, system, user, source } = prompt
  return digest(JSON.stringify([slug, folder, model, temperature, version, system, user, source]))
}
