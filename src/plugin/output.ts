import { hasSecret } from '../core/secrets.ts'
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
 * Fails a build whose output contains a key, whichever is in use, in code, pages, source maps or any other
 * file. `define` of the whole environment or a comment can put it there. Reads no file if there is no key.
 *
 * @throws PromptsError KEY_IN_BUNDLE; what opening the project throws
 */
export async function refuseKey(
  { session }: Pick<Host, 'session'>,
  files: readonly EmittedFile[],
): Promise<void> {
  const { secrets } = (await session().project()).options
  if (secrets.length === 0) return
  for (const { file, read, onKey } of files) {
    // One after the other, since the output may not fit into memory.
    const content = await read()
    if (onKey === undefined) assertNoKey(secrets, { file, content })
    else if (contains(content, secrets)) onKey()
  }
}

/** @throws PromptsError KEY_IN_BUNDLE */
export function assertNoKey(
  secrets: readonly string[],
  { file, content }: { readonly file: string; readonly content: Content },
): void {
  if (contains(content, secrets)) throw new PromptsError('KEY_IN_BUNDLE', { file })
}

/** Whether a content has a secret in it. */
export function contains(content: Content, secrets: readonly string[]): boolean {
  if (typeof content === 'string') return hasSecret(content, secrets)
  const bytes = bytesOf(content)
  // A file may be longer than a string can be.
  for (let start = 0; start < bytes.length; start += PART) {
    const text = bytes.toString('utf8', start, start + PART + LONGEST_SECRET)
    if (hasSecret(text, secrets)) return true
  }
  return false
}

const PART = 2 ** 24
const LONGEST_SECRET = 2 ** 16

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
