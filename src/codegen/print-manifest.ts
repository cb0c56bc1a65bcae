import { GENERATED_BY } from '../core/generated.ts'
import { type Digest, integrityOf, digestLock } from '../core/lock/print-lock.ts'
import { compareCodePoints, sortBySlug } from '../core/text/order.ts'
import type { Environment, Lock, PinnedPrompt } from '../core/prompt.ts'

/** A file that a build emits, with the prompts whose code is in it. */
export interface ChunkPrompts {
  /** Relative to the output folder, with forward slashes. */
  readonly file: string
  readonly prompts: readonly PinnedPrompt[]
}

/** `prompts-manifest.json`: the prompts in a release. */
export interface PromptsManifest {
  /** Incremented if the format changes. */
  readonly manifestVersion: 1
  /** The environment of the lock. */
  readonly environment: Environment
  /** Hash over the whole lock that was built from. */
  readonly lock: string
  /** The chunks with prompts, by name. */
  readonly chunks: readonly {
    readonly file: string
    /** By code point of the slug. */
    readonly prompts: readonly ManifestPrompt[]
  }[]
}

/** One prompt in a chunk. */
export interface ManifestPrompt {
  readonly slug: string
  /** Label of the version. */
  readonly version: string
  /** The hash of its texts and settings. */
  readonly integrity: string
}

/** Returns the name of a workspace's manifest in the output folder. */
export function manifestFile(workspace: string): string {
  return `${workspace}-manifest.json`
}

/** Creates the manifest of a build. */
export function createManifest(
  chunks: readonly ChunkPrompts[],
  lock: Lock,
  digest: Digest,
): PromptsManifest {
  const listed = chunks
    .filter(({ prompts }) => prompts.length > 0)
    .map(({ file, prompts }) => ({ file, prompts: listPrompts(prompts, digest) }))
  return {
    manifestVersion: 1,
    environment: lock.environment,
    lock: digestLock(lock, digest),
    chunks: listed.toSorted((a, b) => compareCodePoints(a.file, b.file)),
  }
}

function listPrompts(prompts: readonly PinnedPrompt[], digest: Digest): ManifestPrompt[] {
  return sortBySlug(prompts).map((prompt) => {
    return { slug: prompt.slug, version: prompt.version, integrity: integrityOf(prompt, digest) }
  })
}

/** Prints the manifest as the text of its file, with the marker of generated files. */
export function printManifest(chunks: readonly ChunkPrompts[], lock: Lock, digest: Digest): string {
  const manifest = { '//': `${GENERATED_BY}.`, ...createManifest(chunks, lock, digest) }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}
