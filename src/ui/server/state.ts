import { relative } from 'node:path'
import { variablesOfPrompt } from '../../core/compare.ts'
import { lintPrompt } from '../../core/lint.ts'
import { integrityOf } from '../../core/integrity.ts'
import { planNames } from '../../core/names.ts'
import { joinOf, type Lock, type PinnedPrompt } from '../../core/prompt.ts'
import { sha256 } from '../../io/digest.ts'
import { forwardSlashes } from '../../io/forward-slashes.ts'
import type { Project } from '../../project.ts'
import type { ChangeVerdict, LockView, PageState, PromptView } from '../protocol.ts'
import { faultView } from './fault-view.ts'

/** What comparisons have found, by slug; `null` where there was none. */
export type KnownChange = (prompt: PinnedPrompt) => ChangeVerdict | null

/** Everything of the page's state that comes from the lock and its project. */
export async function readState(
  project: Project,
  known: KnownChange,
): Promise<Pick<PageState, 'workspace' | 'environment' | 'lockPath' | 'lock'>> {
  const { name: workspace, environment, root } = project.options
  const lockPath = forwardSlashes(relative(root, project.lock.path))
  return { workspace, environment, lockPath, lock: await readLockView(project, known) }
}

async function readLockView(project: Project, known: KnownChange): Promise<LockView> {
  try {
    return { kind: 'read', prompts: promptViews(await project.readLock(), known) }
  } catch (error) {
    return { kind: 'fault', fault: faultView(error) }
  }
}

function promptViews({ prompts }: Lock, known: KnownChange): PromptView[] {
  const { identifiers } = planNames(prompts.map(({ slug }) => slug))
  return prompts.map((prompt) => ({
    ...prompt,
    identifier: identifiers.get(prompt.slug) ?? null,
    join: joinOf(prompt) ?? null,
    integrity: integrityOf(prompt, sha256),
    variables: variablesOfPrompt(prompt),
    lints: lintPrompt(prompt),
    characters: charactersIn(prompt.system) + charactersIn(prompt.user),
    change: known(prompt),
  }))
}

/** Unicode characters, and not the units of UTF-16 that `length` counts. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
