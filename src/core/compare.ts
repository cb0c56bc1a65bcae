/**
 * The differences between two locks, by part. A staging part is compared as code sees it, in the test
 * view: one that comes is the update of the live version to it, and one that goes is the update back. With
 * an added, removed or published prompt, it is part of that change: both are taken or left together.
 */
import {
  type Environment,
  type Lock,
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

interface Change<Kind, Before, After> {
  readonly kind: Kind
  readonly slug: string
  readonly environment: Environment
  readonly before: Before
  readonly after: After
  /** The staging part that goes with a live change: it was published, or the prompt was removed. */
  readonly staging?: PinnedPrompt | undefined
  /** The staging part that comes with an added prompt. */
  readonly staged?: PinnedPrompt | undefined
}

/** Returns the parts that differ between two locks: live parts, then staging parts, each by slug. */
export function compareLocks(before: Lock, after: Lock): PromptChange[] {
  const live = comparePrompts(viewOf(before, 'live').prompts, viewOf(after, 'live').prompts)
  const changed = new Set(live.map(({ slug }) => slug))
  const old = indexBySlug(viewOf(before, 'test').prompts)
  const now = indexBySlug(viewOf(after, 'test').prompts)
  const staged = [...old.values(), ...now.values()].filter(isStaging)
  const staging = [...indexBySlug(staged).keys()].flatMap((slug) => {
    const [one, other] = [old.get(slug), now.get(slug)]
    // With a live change of the prompt, it is part of that.
    if (changed.has(slug) && (one === undefined || !isStaging(other))) return []
    if (isStaging(one) && isStaging(other) && isSamePrompt(one, other)) return []
    return changeOf('test', one, other)
  })
  const whole = live.map((change): PromptChange => {
    const [one, other] = [old.get(change.slug), now.get(change.slug)]
    if (isStaging(one) && !isStaging(other)) return { ...change, staging: one }
    return one === undefined && isStaging(other) ? { ...change, staged: other } : change
  })
  return [...whole, ...sortBySlug(staging)]
}

/** The change of each part: what is staged of an added prompt is the difference from its live version. */
export function changesByPart(change: PromptChange): PromptChange[] {
  const { staged, after } = change
  if (staged === undefined) return [change]
  return [{ ...change, staged: undefined }, ...changeOf('test', after, staged)]
}

function isStaging(part: PinnedPrompt | undefined): part is PinnedPrompt {
  return part?.environment === 'test'
}

/** Returns the prompts that differ between two live views, sorted by code point of the slug. */
export function comparePrompts(
  before: readonly PinnedPrompt[],
  after: readonly PinnedPrompt[],
): PromptChange[] {
  const [old, now] = [indexBySlug(before), indexBySlug(after)]
  const removed = before.filter(({ slug }) => !now.has(slug))
  return sortBySlug([
    ...after.flatMap((prompt) => {
      const former = old.get(prompt.slug)
      return former && isSamePrompt(former, prompt) ? [] : changeOf('live', former, prompt)
    }),
    ...removed.flatMap((prompt) => changeOf('live', prompt, undefined)),
  ])
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

/** Whether a pull leaves a staging part out of a lock with that live part: it has the same and is not held. */
export function isNeedless(staging: PinnedPrompt, live: PinnedPrompt | undefined): boolean {
  return staging.held === undefined && live !== undefined && isSamePrompt(live, staging)
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

/** A lock after some changes. Other parts stay as they are. */
export function applyChanges(before: Lock, changes: readonly PromptChange[]): Lock {
  return replaceParts(before, changes, ({ after, staged }) => [after, staged])
}

/** A lock without some of the changes that made it. Other parts stay as they are. */
export function revertChanges(after: Lock, changes: readonly PromptChange[]): Lock {
  return replaceParts(after, changes, ({ before, staging }) => [before, staging])
}

function replaceParts(
  lock: Lock,
  changes: readonly PromptChange[],
  sideOf: (change: PromptChange) => readonly (PinnedPrompt | undefined)[],
): Lock {
  const replaced = new Set(
    changes
      .flatMap((change) => [change, change.staging ?? change.staged ?? []].flat())
      .map(partKey),
  )
  const others = lock.parts.filter((part) => !replaced.has(partKey(part)))
  const parts = changes.flatMap((change) =>
    sideOf(change)
      .filter((part) => part !== undefined)
      // In the test view, a prompt without a staging part is the live one.
      .filter((part) => change.environment === 'live' || isStaging(part)),
  )
  return { ...lock, parts: sortParts([...others, ...parts]) }
}

/** The number of prompts of the later lock that the changes leave. */
export function countUnchanged({ parts }: Lock, changes: readonly PromptChange[]): number {
  const changed = new Set(changes.map(({ slug }) => slug))
  return new Set(parts.map(({ slug }) => slug).filter((slug) => !changed.has(slug))).size
}
