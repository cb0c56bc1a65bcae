import { join } from 'node:path'
import { readText } from '../../fs/files.ts'
import type { FileChange } from './step.ts'

/** An edit of a text file in the root. */
export interface TextEdit extends Pick<FileChange, 'name' | 'what'> {
  /** Returns the new text. The text of a missing file is empty. */
  readonly edit: (text: string) => string
}

/**
 * Plans an edit of a text file, which is created if it is missing.
 *
 * @returns `undefined` if the edit changes nothing
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planEdit(
  root: string,
  { name, what, edit }: TextEdit,
): Promise<FileChange | undefined> {
  const current = await readText(join(root, name))
  const text = edit(current ?? '')
  if (text === (current ?? '')) return undefined
  return { name, kind: current === undefined ? 'created' : 'updated', text, what }
}

/** Appends lines to a text. */
export function appendLines(text: string, lines: readonly string[]): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return text + gap + lines.map((line) => `${line}\n`).join('')
}
