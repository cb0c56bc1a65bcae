import { join } from 'node:path'
import type { EmittedChunk } from '../codegen/print-manifest.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { sha256 } from '../fs/digest.ts'
import { assertNotForeign } from '../fs/generated-file.ts'
import type { Host } from './host.ts'

/** A file that a build emits. */
export interface EmittedFile {
  /** Its path in the output folder. */
  readonly file: string
  /** Whether the manifest is about it. */
  readonly isScript: boolean
  readonly read: () => Content | Promise<Content>
  /** For a file that may contain the key: reports that it does. */
  readonly onKey?: (() => void) | undefined
}

type Content = string | Uint8Array

/** What a build emits and, if it writes it to the disk, into which folder. */
interface Output {
  readonly files: readonly EmittedFile[]
  /** Absolute. */
  readonly folder: string | undefined
}

interface ManifestFile {
  /** Its path in the output folder. */
  readonly file: string
  readonly text: string
}

/**
 * Checks what a build emits.
 *
 * @returns the manifest, if the options want one
 * @throws PromptsError KEY_IN_BUNDLE, FILE_FOREIGN
 */
export async function inspectOutput(
  host: Pick<Host, 'ids' | 'session'>,
  output: Output,
): Promise<ManifestFile | undefined> {
  await refuseKey(host, output.files)
  return manifestOf(host, output)
}

/**
 * Refuses a build that emits the key, in code, pages, source maps or any other file, for whatever
 * reason: `define` of the whole environment, or a comment. Reads nothing if there is no key.
 *
 * @throws PromptsError KEY_IN_BUNDLE
 */
export async function refuseKey(
  { session }: Pick<Host, 'session'>,
  files: readonly EmittedFile[],
): Promise<void> {
  const { apiKey } = (await session.project()).options
  if (apiKey === undefined) return
  for (const { file, read, onKey } of files) {
    // One after the other: a build may emit more than fits into the memory.
    // oxlint-disable-next-line no-await-in-loop
    const content = await read()
    if (onKey === undefined) assertNoKey(apiKey, { file, content })
    else if (contains(content, apiKey.value)) onKey()
  }
}

/** @throws PromptsError KEY_IN_BUNDLE */
export function assertNoKey(
  { value }: { readonly value: string },
  { file, content }: { readonly file: string; readonly content: Content },
): void {
  if (contains(content, value)) throw new PromptsError('KEY_IN_BUNDLE', { file })
}

function contains(content: Content, value: string): boolean {
  return typeof content === 'string' ? content.includes(value) : bytesOf(content).includes(value)
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Each environment has its own build and output folder. What finds prompts is loaded on demand. */
async function manifestOf(
  { ids, session }: Pick<Host, 'ids' | 'session'>,
  { files, folder }: Output,
): Promise<ManifestFile | undefined> {
  const { options } = await session.project()
  if (!options.manifest) return undefined
  const { manifestFile, printManifest } = await import('../codegen/print-manifest.ts')
  const file = manifestFile(ids.workspace)
  if (folder !== undefined) await assertNotForeign(join(folder, file))
  const { lock } = await session.snapshot()
  const chunks = files.filter(({ isScript }) => isScript).map(readChunk)
  return { file, text: printManifest(await Promise.all(chunks), lock, sha256) }
}

async function readChunk({ file, read }: EmittedFile): Promise<EmittedChunk> {
  const content = await read()
  return { file, code: typeof content === 'string' ? content : bytesOf(content).toString() }
}

/** Whether a file is a script; esbuild calls one without a name `<stdout>`. */
export function isScriptFile(name: string): boolean {
  return /\.[cm]?js$|<stdout>$/.test(name)
}
