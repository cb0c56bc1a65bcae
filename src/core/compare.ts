import { indexBySlug, sortBySlug } from './text/order.ts'
import { type PinnedPrompt, type PromptText, promptTexts, settingsOf } from './prompt.ts'
import { textVariables } from './template.ts'

/** The difference of one prompt between two locks. */
export type PromptChange =
  | Change<'added', undefined, PinnedPrompt>
  | Change<'removed', PinnedPrompt, undefined>
  | Change<'updated', PinnedPrompt, PinnedPrompt>

interface Change<Kind, Before, After> {
  readonly kind: Kind
  readonly slug: string
  readonly before: Before
  readonly after: After
}

/** Returns the prompts that differ between two locks, sorted by code point of the slug. */
export function comparePrompts(
  before: readonly PinnedPrompt[],
  after: readonly PinnedPrompt[],
): PromptChange[] {
  const [old, now] = [indexBySlug(before), indexBySlug(after)]
  const removed = before.filter(({ slug }) => !now.has(slug))
  return sortBySlug([
    ...after.flatMap((prompt) => comparePrompt(old.get(prompt.slug), prompt)),
    ...removed.map((prompt): PromptChange => {
      return { kind: 'removed', slug: prompt.slug, before: prompt, after: undefined }
    }),
  ])
}

function comparePrompt(before: PinnedPrompt | undefined, after: PinnedPrompt): PromptChange[] {
  const { slug } = after
  if (before === undefined) return [{ kind: 'added', slug, before, after }]
  return isSamePrompt(before, after) ? [] : [{ kind: 'updated', slug, before, after }]
}

/** Whether two prompts are equal, without regard to holds. */
export function isSamePrompt(before: PinnedPrompt, after: PinnedPrompt | undefined): boolean {
  if (after === undefined) return false
  const now = Object.values(settingsOf(after))
  const isSame = Object.values(settingsOf(before)).every((value, index) => value === now[index])
  return isSame && changedFields({ before, after }).length === 0
}

/** Returns which texts differ; all that are not empty if one side has no such prompt. */
export function changedFields({
  before,
  after,
}: Pick<PromptChange, 'before' | 'after'>): PromptText['field'][] {
  return (['system', 'user', 'source'] as const).filter(
    (field) => (before?.[field] ?? '') !== (after?.[field] ?? ''),
  )
}

/** The variables of a prompt, by first appearance in its texts. */
export function promptVariables(prompt: PinnedPrompt): string[] {
  return textVariables(promptTexts(prompt).map(({ text }) => text))
}

/** Returns the names that only one of two prompts has as variables. Each can break a call. */
export function compareVariables(
  before: PinnedPrompt,
  after: PinnedPrompt,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const old = new Set(promptVariables(before))
  const now = new Set(promptVariables(after))
  return {
    added: [...now].filter((name) => !old.has(name)),
    removed: [...old].filter((name) => !now.has(name)),
  }
}

/** The number of prompts of the later lock that the changes leave. */
export function countUnchanged(
  after: readonly PinnedPrompt[],
  changes: readonly PromptChange[],
): number {
  return after.length - changes.filter(({ kind }) => kind !== 'removed').length
}

/** Returns the prompts of a lock after some changes, sorted by slug. Other prompts stay as they are. */
export function applyChanges(
  before: readonly PinnedPrompt[],
  changes: readonly Pick<PromptChange, 'slug' | 'after'>[],
): PinnedPrompt[] {
  const prompts = indexBySlug(before)
  for (const { slug, after } of changes) {
    if (after === undefined) prompts.delete(slug)
    else prompts.set(slug, after)
  }
  return sortBySlug(prompts.values())
}
