import { PromptsError } from '../errors/prompts-error.ts'
import type { Host } from './host.ts'

/** A file that a build emits. */
export interface EmittedFile {
  /** Path relative to the output folder. */
  readonly file: string
  readonly read: () => Content | Promise<Content>
  /** Set for a file that may contain the key: called if it does. */
  readonly onKey?: (() => void) | undefined
}

type Content = string | Uint8Array

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
