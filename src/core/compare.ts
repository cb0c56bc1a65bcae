import { indexBySlug, sortBySlug } from './text/order.ts'
import { type Lock, type PinnedPrompt, promptTexts } from './prompt.ts'
import { textVariables } from './template.ts'

/** The difference of one prompt between two locks. */
export type PromptChange =
  | { readonly kind: 'added'; readonly slug: string; readonly after: PinnedPrompt }
  | { readonly kind: 'removed'; readonly slug: string; readonly before: PinnedPrompt }
  | {
      readonly kind: 'updated'
      readonly slug: string
      readonly before: PinnedPrompt
      readonly after: PinnedPrompt
      /** The fields that differ, in the order of the lock. */
      readonly fields: readonly PromptField[]
      readonly variables: VariableChange
    }
  | { readonly kind: 'unchanged'; readonly slug: string; readonly after: PinnedPrompt }

/** A change of a prompt that differs. */
export type ChangedPrompt = Exclude<PromptChange, { kind: 'unchanged' }>

/** Whether a prompt differs. */
export function isChanged(change: PromptChange): change is ChangedPrompt {
  return change.kind !== 'unchanged'
}

/** The prompt before and after a change; `undefined` if a side has no such prompt. */
export function changeSides(change: PromptChange): {
  readonly before: PinnedPrompt | undefined
  readonly after: PinnedPrompt | undefined
} {
  const after = change.kind === 'removed' ? undefined : change.after
  if (change.kind === 'unchanged') return { before: after, after }
  return { before: change.kind === 'added' ? undefined : change.before, after }
}

/** A field of a prompt that can change under its slug. */
export type PromptField = Exclude<keyof PinnedPrompt, 'slug' | 'held'>

/** How the variables of a prompt change. Each added or removed name can break a call. */
export interface VariableChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const FIELDS: readonly PromptField[] = [
  'folder',
  'model',
  'temperature',
  'version',
  'system',
  'user',
  'source',
]

/** Compares two locks, prompt by prompt, sorted by code point of the slug. */
export function comparePrompts(
  before: readonly PinnedPrompt[],
  after: readonly PinnedPrompt[],
): PromptChange[] {
  const [old, now] = [indexBySlug(before), indexBySlug(after)]
  const removed = before.filter(({ slug }) => !now.has(slug))
  return sortBySlug([
    ...after.map((prompt) => compareEntry(old.get(prompt.slug), prompt)),
    ...removed.map((prompt) => ({ kind: 'removed' as const, slug: prompt.slug, before: prompt })),
  ])
}

function compareEntry(before: PinnedPrompt | undefined, after: PinnedPrompt): PromptChange {
  const { slug } = after
  if (before === undefined) return { kind: 'added', slug, after }
  const fields = listChangedFields(before, after)
  if (fields.length === 0) return { kind: 'unchanged', slug, after }
  const variables = compareVariables(before, after)
  return { kind: 'updated', slug, before, after, fields, variables }
}

function listChangedFields(before: PinnedPrompt, after: PinnedPrompt): PromptField[] {
  return FIELDS.filter((field) => before[field] !== after[field])
}

/** Whether two prompts are equal, without regard to holds. */
export function isSamePrompt(before: PinnedPrompt, after: PinnedPrompt | undefined): boolean {
  return before.slug === after?.slug && listChangedFields(before, after).length === 0
}

/** Whether two locks pin the same prompts, without regard to holds. */
export function isSameLock(before: Lock, after: Lock): boolean {
  return (
    before.environment === after.environment &&
    before.prompts.length === after.prompts.length &&
    before.prompts.every((prompt, index) => isSamePrompt(prompt, after.prompts[index]))
  )
}

/** The variables of a prompt, by first appearance in its texts. */
export function promptVariables(prompt: PinnedPrompt): string[] {
  return textVariables(promptTexts(prompt).map(({ text }) => text))
}

function compareVariables(before: PinnedPrompt, after: PinnedPrompt): VariableChange {
  const old = new Set(promptVariables(before))
  const now = new Set(promptVariables(after))
  return {
    added: [...now].filter((name) => !old.has(name)),
    removed: [...old].filter((name) => !now.has(name)),
  }
}

/** Returns the prompts of a lock after some changes, sorted by slug. Other prompts stay as they are. */
export function applyChanges(
  before: readonly PinnedPrompt[],
  changes: readonly PromptChange[],
): PinnedPrompt[] {
  const prompts = indexBySlug(before)
  for (const change of changes) {
    if (change.kind === 'removed') prompts.delete(change.slug)
    else prompts.set(change.slug, change.after)
  }
  return sortBySlug(prompts.values())
}
