import { GENERATED_BY } from '../core/generated.ts'
import { type Digest, integrityOf, digestLock } from '../core/lock/print-lock.ts'
import { compareCodePoints, sortBySlug } from '../core/text/order.ts'
import type { Lock, PinnedPrompt } from '../core/prompt.ts'

/** A file that a build emits, with the prompts whose code is in it. */
export interface ChunkPrompts {
  /** Relative to the output folder, with forward slashes. */
  readonly file: string
  readonly prompts: readonly PinnedPrompt[]
}

/** Returns the name of a workspace's manifest in the output folder. */
export function manifestFile(workspace: string): string {
  return `${workspace}-manifest.json`
}

/**
 * Prints the manifest as the text of its file, with the marker of generated files: the environment and the
 * hash of the whole lock, and the prompts of each chunk that has some. Its version is incremented if the
 * format changes.
 */
export function printManifest(chunks: readonly ChunkPrompts[], lock: Lock, digest: Digest): string {
  const chunksWithPrompts = chunks
    .filter(({ prompts }) => prompts.length > 0)
    .toSorted((a, b) => compareCodePoints(a.file, b.file))
  const manifest = {
    '//': `${GENERATED_BY}.`,
    manifestVersion: 1,
    environment: lock.environment,
    lock: digestLock(lock, digest),
    chunks: chunksWithPrompts.map(({ file, prompts }) => ({
      file,
      prompts: sortBySlug(prompts).map((prompt) => {
        const { slug, version } = prompt
        return { slug, version, integrity: integrityOf(prompt, digest) }
      }),
    })),
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}
