/**
 * The differences between two locks, by part. A staging part is compared as code sees it, in the test
 * view: one that comes is the update of the live version to it, and one that goes is the update back.
 */
import {
  type Environment,
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  type PromptText,
  promptTexts,
  sortParts,
  viewOf,
} from './prompt.ts'
import { settingsOf } from './settings.ts'
import { textVariables } from './template.ts'
import { indexBySlug, sortBySlug } from './text/order.ts'

/** The difference of one prompt in one view of two locks. */
export type PromptChange =
  | Change<'added', undefined, PinnedPrompt>
  | Change<'removed', PinnedPrompt, undefined>
  | Change<'updated', PinnedPrompt, PinnedPrompt>

interface Change<Kind, Before, After> extends PartId {
  readonly kind: Kind
  readonly before: Before
  readonly after: After
}

/** Returns the parts that differ between two locks: live parts, then staging parts, each by slug. */
export function compareLocks(before: Lock, after: Lock): PromptChange[] {
  const [old, now] = [viewOf(before, 'test').prompts, viewOf(after, 'test').prompts]
  const staged = indexBySlug([...old, ...now].filter(({ environment }) => environment === 'test'))
  const isStaged = ({ slug }: PinnedPrompt): boolean => staged.has(slug)
  return [
    ...comparePrompts(viewOf(before, 'live').prompts, viewOf(after, 'live').prompts),
    ...comparePrompts(old.filter(isStaged), now.filter(isStaged), 'test'),
  ]
}

/** Returns the prompts that differ between two views, sorted by code point of the slug. */
export function comparePrompts(
  before: readonly PinnedPrompt[],
  after: readonly PinnedPrompt[],
  environment: Environment = 'live',
): PromptChange[] {
  const [old, now] = [indexBySlug(before), indexBySlug(after)]
  const slugs = [...new Map([...old, ...now]).keys()]
  return sortBySlug(slugs.flatMap((slug) => changeOf(environment, old.get(slug), now.get(slug))))
}

function changeOf(
  environment: Environment,
  before: PinnedPrompt | undefined,
  after: PinnedPrompt | undefined,
): PromptChange[] {
  if (before === undefined)
    return after ? [{ kind: 'added', slug: after.slug, environment, before, after }] : []
  const { slug } = before
  if (after === undefined) return [{ kind: 'removed', slug, environment, before, after }]
  // A staging part may come or go beside an equal live part.
  const isSamePart = environment === 'live' || before.environment === after.environment
  if (isSamePart && isSamePrompt(before, after)) return []
  return [{ kind: 'updated', slug, environment, before, after }]
}

/** Whether two prompts are equal, without regard to holds and to the part that they are. */
export function isSamePrompt(before: PinnedPrompt, after: PinnedPrompt): boolean {
  // Most prompts of two locks in a dev server are those of the same entry.
  if (before === after) return true
  const now = Object.values(settingsOf(after))
  const isSame = Object.values(settingsOf(before)).every((value, index) => value === now[index])
  return isSame && changedFields({ before, after }).length === 0
}

/**
 * A lock without the staging parts that equal their live part and are not held; itself if it has none.
 *
 * @param before - whose prompts keep them, if they are the same objects. Default: none
 */
export function prune(lock: Lock, before?: Lock): Lock {
  const live = indexBySlug(viewOf(lock, 'live').prompts)
  const former = new Set(before?.parts)
  const isNeedless = (part: PinnedPrompt): boolean => {
    const other = live.get(part.slug) ?? part
    if (former.has(part) && former.has(other)) return false
    return other !== part && part.held === undefined && isSamePrompt(other, part)
  }
  return lock.parts.some(isNeedless)
    ? { parts: lock.parts.filter((part) => !isNeedless(part)) }
    : lock
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

export type Role = 'system' | 'user'

/** Returns which of system and user text there are. */
export function promptRoles(prompt: PinnedPrompt): Role[] {
  return (['system', 'user'] as const).filter((role) => prompt[role] !== '')
}

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

/** A lock after some changes, without needless staging parts. Other parts stay as they are. */
export function applyChanges(before: Lock, changes: readonly PromptChange[]): Lock {
  return prune(replaceParts(before, changes))
}

/** The later one of two locks without some of the changes, which stay as they were. */
export function leaveChanges(before: Lock, after: Lock, left: readonly PromptChange[]): Lock {
  const changes = compareLocks(before, after)
  const isLeft = new Set(left.map(partKey))
  const taken = changes.filter((change) => !isLeft.has(partKey(change)))
  // The lock before, but for what is no change, such as the holds of a merge.
  const base = replaceParts(
    after,
    changes.map((change) => ({ ...change, after: change.before })),
  )
  return prune(replaceParts(base, taken))
}

/** A lock with one side of some changes, live parts first. */
function replaceParts(
  lock: Lock,
  changes: readonly (PartId & { readonly after?: PinnedPrompt | undefined })[],
): Lock {
  const parts = indexParts(lock.parts)
  for (const { slug, environment, after } of changes) {
    if (after?.environment === environment) parts.set(partKey(after), after)
    // A staging part never ends while the lock has no live part.
    else if (after === undefined || parts.has(partKey(after)))
      parts.delete(partKey({ slug, environment }))
  }
  return { parts: sortParts(parts.values()) }
}

/** The number of prompts of the later lock that the changes leave. */
export function countUnchanged({ parts }: Lock, changes: readonly PartId[]): number {
  const changed = new Set(changes.map(({ slug }) => slug))
  return new Set(parts.map(({ slug }) => slug).filter((slug) => !changed.has(slug))).size
}
