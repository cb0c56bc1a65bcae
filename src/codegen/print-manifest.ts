import { GENERATED_BY } from '../core/generated.ts'
import { type Digest, integrityOf } from '../core/lock/integrity.ts'
import { digestLock } from '../core/lock/print-lock.ts'
import { compareCodePoints } from '../core/text/order.ts'
import type { Environment, Lock } from '../core/prompt.ts'
import { findPrompts } from './find-prompts.ts'

/** A JavaScript file that a build emits. */
export interface EmittedChunk {
  /** Relative to the output folder, with forward slashes. */
  readonly file: string
  readonly code: string
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

/** Searches the emitted code of a build for prompts. */
export function createManifest(
  chunks: readonly EmittedChunk[],
  lock: Lock,
  digest: Digest,
): PromptsManifest {
  const found = chunks.flatMap(({ file, code }) => {
    const prompts = findPrompts(code, lock.prompts).map((prompt) => ({
      slug: prompt.slug,
      version: prompt.version,
      integrity: integrityOf(prompt, digest),
    }))
    return prompts.length === 0 ? [] : [{ file, prompts }]
  })
  return {
    manifestVersion: 1,
    environment: lock.environment,
    lock: digestLock(lock, digest),
    chunks: found.toSorted((a, b) => compareCodePoints(a.file, b.file)),
  }
}

/** Prints the manifest as the text of its file, with the marker of generated files. */
export function printManifest(chunks: readonly EmittedChunk[], lock: Lock, digest: Digest): string {
  const manifest = { '//': `${GENERATED_BY}.`, ...createManifest(chunks, lock, digest) }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}
