import type { PinnedPrompt } from '../../core/prompt.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import type { Project } from '../project/project.ts'
import type { Draft } from '../pull/draft.ts'

/**
 * A draft with held prompts: no pull changes them.
 *
 * @param reason - Default: the reason that a prompt already has, or none
 * @throws PromptsError SLUG_UNKNOWN; what {@link Project.prepareEdit} throws
 */
export function prepareHold(
  project: Project,
  slugs: readonly string[],
  reason: string | undefined,
): Promise<Draft> {
  return prepareMarks(project, slugs, ({ held }) => ({ reason: reason ?? held?.reason ?? '' }))
}

/**
 * A draft with prompts that the next pull updates again.
 *
 * @throws PromptsError SLUG_UNKNOWN; what {@link Project.prepareEdit} throws
 */
export function prepareRelease(project: Project, slugs: readonly string[]): Promise<Draft> {
  return prepareMarks(project, slugs, () => undefined)
}

function prepareMarks(
  project: Project,
  slugs: readonly string[],
  mark: (prompt: PinnedPrompt) => PinnedPrompt['held'],
): Promise<Draft> {
  return project.prepareEdit(({ environment, prompts }) => {
    assertKnownSlugs(slugs, { where: 'The lock', found: prompts })
    return {
      environment,
      prompts: prompts.map((prompt) =>
        slugs.includes(prompt.slug) ? { ...prompt, held: mark(prompt) } : prompt,
      ),
    }
  })
}
