import { readFile } from 'node:fs/promises'
import { PromptsError } from '../errors/prompts-error.ts'
import { writeExact } from './files.ts'

/** A new content for a file of the app. */
export interface FileEdit {
  /** Absolute. */
  readonly path: string
  /** The whole content that the edit was computed from. */
  readonly before: string
  /** The whole new content. */
  readonly after: string
}

/**
 * Writes edited files, if none has changed since the edits were computed.
 *
 * @param root - the project's folder. A link out of it is an error.
 * @throws PromptsError FILE_UNWRITABLE; files before it in the list may have been written
 */
export async function writeEdits(edits: readonly FileEdit[], root: string): Promise<void> {
  await Promise.all(edits.map(assertUnchanged))
  for (const { path, after } of edits) {
    await writeExact(path, after, root)
  }
}

async function assertUnchanged({ path, before }: FileEdit): Promise<void> {
  const current = await readFile(path, 'utf8').catch(() => undefined)
  if (current === before) return
  throw new PromptsError('FILE_UNWRITABLE', { path, reason: 'it changed during the pull' })
}
