import { type EditableTexts, editPrompt, type PinnedPrompt } from '../../core/prompt.ts'
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
  return prepareEntries(project, slugs, (prompt) => ({
    ...prompt,
    held: { reason: reason ?? prompt.held?.reason ?? '' },
  }))
}

/**
 * A draft with prompts that the next pull updates again.
 *
 * @throws PromptsError SLUG_UNKNOWN; what {@link Project.prepareEdit} throws
 */
export function prepareRelease(project: Project, slugs: readonly string[]): Promise<Draft> {
  return prepareEntries(project, slugs, (prompt) => ({ ...prompt, held: undefined }))
}

/**
 * A draft with a prompt whose text was edited here, and held.
 *
 * @param reason - for the reviewers of the lock. Default: the reason that the prompt already has, or none
 * @throws PromptsError SLUG_UNKNOWN; what {@link Project.prepareEdit} throws
 */
export function prepareTexts(
  project: Project,
  slug: string,
  texts: EditableTexts,
  reason: string | undefined,
): Promise<Draft> {
  return prepareEntries(project, [slug], (prompt) => editPrompt(prompt, texts, reason))
}

function prepareEntries(
  project: Project,
  slugs: readonly string[],
  change: (prompt: PinnedPrompt) => PinnedPrompt,
): Promise<Draft> {
  return project.prepareEdit(({ environment, prompts }) => {
    assertKnownSlugs(slugs, { where: 'The lock', prompts })
    return {
      environment,
      prompts: prompts.map((prompt) => (slugs.includes(prompt.slug) ? change(prompt) : prompt)),
    }
  })
}
