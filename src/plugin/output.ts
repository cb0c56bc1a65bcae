import { join } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { sha256 } from '../fs/files.ts'
import { assertNotForeign } from '../fs/generated-file.ts'
import type { Host } from './host.ts'
import { idOfModule } from './ids.ts'

/** A file that a build emits. */
export interface EmittedFile {
  /** Path relative to the output folder. */
  readonly file: string
  /**
   * The modules whose code is in the file after tree shaking, as the bundler names them. Default:
   * none. Only called for the manifest.
   */
  readonly modules?: (() => Iterable<string>) | undefined
  readonly read: () => Content | Promise<Content>
  /** Set for a file that may contain the key: called if it does. */
  readonly onKey?: (() => void) | undefined
}

type Content = string | Uint8Array

/**
 * Checks the output of a build, and prints its manifest if the option `manifest` is set. Each
 * environment has its own build and output folder. The manifest printer is loaded on demand.
 *
 * @param folder - of the output, absolute; absent if it is not written to disk
 * @returns the manifest, with its path relative to the output folder
 * @throws PromptsError KEY_IN_BUNDLE, FILE_FOREIGN, FILE_UNREADABLE; what loading the snapshot throws
 */
export async function inspectOutput(
  host: Pick<Host, 'ids' | 'session'>,
  files: readonly EmittedFile[],
  folder?: string,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  await refuseKey(host, files)
  const session = host.session()
  const { options } = await session.project()
  if (!options.manifest) return undefined
  const { manifestFile, printManifest } = await import('../codegen/print-manifest.ts')
  const manifest = manifestFile(host.ids.workspace)
  if (folder !== undefined) await assertNotForeign(join(folder, manifest))
  const { lock, promptsIn } = await session.snapshot()
  const chunks = files.map(({ file, modules = () => [] }) => {
    const names = [...modules()].flatMap((name) => host.ids.parse(idOfModule(name)) ?? [])
    return { file, prompts: names.flatMap(promptsIn) }
  })
  return { file: manifest, text: printManifest(chunks, lock, sha256) }
}

/**
 * Fails a build whose output contains the API key, in code, pages, source maps or any other file.
 * `define` of the whole environment or a comment can put it there. Reads no file if there is no
 * key.
 *
 * @throws PromptsError KEY_IN_BUNDLE; what opening the project throws
 */
export async function refuseKey(
  { session }: Pick<Host, 'session'>,
  files: readonly EmittedFile[],
): Promise<void> {
  const { apiKey } = (await session().project()).options
  if (apiKey === undefined) return
  for (const { file, read, onKey } of files) {
    // One after the other, since the output may not fit into memory.
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
