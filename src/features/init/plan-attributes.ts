import { join } from 'node:path'
import { readText } from '../../fs/files.ts'
import { findIgnored } from '../../fs/git-ignore.ts'
import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'

const DECLARATIONS = 'prompts.d.ts'

/**
 * Plans that a pull request collapses the declarations, in a git repository. The lock stays open: it is
 * what a reviewer reads.
 *
 * @throws PromptsError FILE_UNREADABLE
 * @see https://docs.github.com/repositories/working-with-files/managing-files/customizing-how-changed-files-appear-on-github
 */
export async function planAttributes({ root }: Pick<ProjectFiles, 'root'>): Promise<PlannedPart> {
  const name = '.gitattributes'
  if ((await findIgnored(root, [])) === undefined) return {}
  const current = await readText(join(root, name))
  const lines = (current ?? '').split(/\r?\n/)
  if (lines.some((line) => line.split(/\s/)[0] === DECLARATIONS)) return {}
  const gap = current === undefined || /(?:^|\n)$/.test(current) ? '' : '\n'
  const text = `${current ?? ''}${gap}${DECLARATIONS} linguist-generated=true\n`
  const kind = current === undefined ? 'created' : 'updated'
  return { change: { name, kind, text, what: `${DECLARATIONS} collapsed in pull requests` } }
}
