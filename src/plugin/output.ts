import { hasSecret } from '../core/secrets.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import type { Host } from './host.ts'
import type { WorkspaceIds } from './ids.ts'

/** A file that a build emits. */
export interface EmittedFile {
  /** Path relative to the output folder. */
  readonly file: string
  readonly read: () => Content | Promise<Content>
  /** Set for a file that may contain the key: called if it does. */
  readonly onKey?: (() => void) | undefined
  /** Removes the file, in bundlers that have written it by then. */
  readonly remove?: (() => Promise<void>) | undefined
}

type Content = string | Uint8Array

/**
 * Fails a build whose output contains a key, whichever is in use, in code, pages, source maps or any other
 * file. `define` of the whole environment or a comment can put it there. Reads no file if there is no key.
 *
 * @throws PromptsError KEY_IN_BUNDLE; what opening the project throws
 */
export async function refuseKey(
  host: Pick<Host, 'loaded'>,
  files: readonly EmittedFile[],
): Promise<void> {
  const { secrets } = (await host.loaded()).project.options
  if (secrets.length === 0) return
  let first: string | undefined
  for (const { file, read, onKey, remove } of files) {
    // One after the other, since the output may not fit into memory.
    if (!contains(await read(), secrets)) continue
    if (onKey === undefined) {
      first ??= file
      await remove?.()
    } else onKey()
  }
  if (first !== undefined) throw new PromptsError('KEY_IN_BUNDLE', { file: first })
}

/**
 * Fails a build whose output imports one of these modules, because it was external.
 *
 * @param imports - the specifiers or ids of what the output imports
 * @throws PromptsError MODULE_EXTERNAL
 */
export function refuseExternal(
  { importPattern, entry }: Pick<WorkspaceIds, 'importPattern' | 'entry'>,
  imports: Iterable<string>,
): void {
  for (const id of imports)
    if (importPattern.test(id)) throw new PromptsError('MODULE_EXTERNAL', { module: entry })
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
