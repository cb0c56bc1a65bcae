import { join } from 'node:path'
import { unifiedPatch } from '../../../features/diff/text-diff.ts'
import type { SetupPlan } from '../../../features/init/init.ts'
import { readText } from '../../../fs/files.ts'
import type { Terminal } from '../../output/terminal.ts'
import { printPatch } from '../../output/unified.ts'

/**
 * Prints every edit of a plan as a unified patch. A key in it must be hidden before.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function printSetupDiff(
  { root, changes }: SetupPlan,
  { messages }: Terminal,
): Promise<void> {
  for (const { name, kind, text } of changes) {
    const current = (await readText(join(root, name))) ?? ''
    const old = kind === 'created' ? '/dev/null' : `a/${name}`
    messages.line()
    printPatch(unifiedPatch(current, text, { old, now: `b/${name}` }), messages)
  }
}
