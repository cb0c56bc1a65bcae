import { findIgnored } from '../../fs/git.ts'
import { appendLines, planEdit } from './plan-edit.ts'
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
  if ((await findIgnored(root, [])) === undefined) return {}
  const change = await planEdit(root, {
    name: '.gitattributes',
    what: `${DECLARATIONS} collapsed in pull requests`,
    edit: addAttribute,
  })
  return change === undefined ? {} : { change }
}

function addAttribute(text: string): string {
  const lines = text.split(/\r?\n/)
  if (lines.some((line) => line.split(/\s/)[0] === DECLARATIONS)) return text
  return appendLines(text, [`${DECLARATIONS} linguist-generated=true`])
}
