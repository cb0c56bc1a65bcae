import type { Digest } from '../core/integrity.ts'
import { digestLock } from '../core/lock.ts'
import type { Lock } from '../core/prompt.ts'
import { commandOf } from '../core/workspace-command.ts'
import { DEFAULT_NAME } from '../core/workspace-name.ts'

/** Raised when the printed declarations change, so that files of an older version are not current. */
const DECLARATIONS_VERSION = 2

/**
 * The head of the declarations' file. It tells which lock they were made from, so that they are
 * left alone, and ts-morph is not loaded, while it still fits.
 *
 * @param name - of the workspace
 */
export function declarationsHeader(
  lock: Lock,
  digest: Digest,
  name: string = DEFAULT_NAME,
): string {
  const named = name === DEFAULT_NAME ? [] : [name]
  const made = digest(JSON.stringify([DECLARATIONS_VERSION, digestLock(lock, digest), ...named]))
  return (
    '// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: ' +
    `\`npx ${commandOf(name, 'pull')}\` writes it.\n// ${made}\n`
  )
}

/** Whether a file's text begins with this header, in either form of line ends. */
export function hasHeader(text: string, header: string): boolean {
  return text
    .slice(0, header.length + 2)
    .replaceAll('\r\n', '\n')
    .startsWith(header)
}

/** The comment at the end of the declarations by which editors find their map. */
export function mapComment(file: string): string {
  return `//# sourceMappingURL=${encodeURIComponent(file)}.map\n`
}
