import { resolve } from 'node:path'
import { writeExact } from '../../fs/files.ts'
import type { ProjectContext } from './project-command.ts'

/**
 * Writes a file that an option names, byte for byte, and prints that.
 *
 * @throws PromptsError FILE_UNWRITABLE
 */
export async function writeOutput(
  name: string,
  text: string,
  { cwd, terminal: { messages } }: Pick<ProjectContext, 'cwd' | 'terminal'>,
): Promise<void> {
  const path = resolve(cwd, name)
  await writeExact(path, text, { root: cwd })
  messages.line(`Wrote ${path}.`)
}
