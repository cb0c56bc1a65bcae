import { indexBySlug, sortBySlug } from './text/order.ts'
import type { Environment, Lock, PinnedPrompt } from './prompt.ts'
import { type PromptSummary, servedVersion } from './service.ts'

/** A field that both the service's list and the lock have. */
export type ListedField = 'folder' | 'model' | 'version'

/** A difference between the lock and the service's list in one prompt. */
export type Drift =
  | { readonly kind: 'added'; readonly slug: string; readonly entry: PromptSummary }
  | { readonly kind: 'removed'; readonly slug: string; readonly pinned: PinnedPrompt }
  | {
      readonly kind: 'changed'
      readonly slug: string
      readonly pinned: PinnedPrompt
      readonly entry: PromptSummary
      /** The fields that differ, at least one. */
      readonly fields: readonly ListedField[]
    }

/** The difference of the service's list from a prompt of the lock. */
export type ListedUpdate =
  | { readonly kind: 'removed' }
  | ({ readonly kind: 'changed'; readonly fields: readonly ListedField[] } & Readonly<
      Record<ListedField, string>
    >)

/** A held prompt, and the update that it does not get. */
export interface HeldPrompt {
  readonly slug: string
  readonly reason: string
  /** Label of the pinned version. */
  readonly version: string
  /** `null` if the service's list has no difference; absent if the list was not read. */
  readonly update?: ListedUpdate | null
}

/** Returns the fields in which a pinned prompt differs from its entry in the list. */
export function compareWithList(
  pinned: PinnedPrompt,
  entry: PromptSummary,
  environment: Environment,
): ListedField[] {
  const listed = listedValues(entry, environment)
  return (['folder', 'model', 'version'] as const).filter(
    (field) => pinned[field] !== listed[field],
  )
}

/** Returns the values that a pull would pin, as far as the list has them. */
export function listedValues(
  entry: PromptSummary,
  environment: Environment,
): Readonly<Record<ListedField, string>> {
  const { folder, model } = entry
  return { folder, model, version: servedVersion(entry, environment) }
}

/** Returns a prompt as far as the list has it: with the pinned texts, or without any. */
export function listedPrompt(
  entry: PromptSummary,
  environment: Environment,
  pinned?: PinnedPrompt,
): PinnedPrompt {
  const unread = { temperature: 0, system: '', user: '', source: '' }
  return { ...unread, ...pinned, slug: entry.slug, ...listedValues(entry, environment) }
}

/**
 * Returns the held prompts of a lock, in its order.
 *
 * @param listed - all prompts of the service and the environment to compare with. Default: no updates
 *   are reported
 */
export function heldPrompts(
  { prompts }: Lock,
  listed?: { readonly entries: readonly PromptSummary[]; readonly environment: Environment },
): HeldPrompt[] {
  const entries = indexBySlug(listed?.entries)
  return prompts.flatMap((pinned) => {
    if (pinned.held === undefined) return []
    const { slug, version, held } = pinned
    const prompt = { slug, reason: held.reason, version }
    if (listed === undefined) return [prompt]
    return [{ ...prompt, update: updateOf(pinned, entries.get(slug), listed.environment) }]
  })
}

/** Returns the list's difference from a pinned prompt; `null` if there is none. */
function updateOf(
  pinned: PinnedPrompt,
  entry: PromptSummary | undefined,
  environment: Environment,
): ListedUpdate | null {
  if (entry === undefined) return { kind: 'removed' }
  const fields = compareWithList(pinned, entry, environment)
  if (fields.length === 0) return null
  return { kind: 'changed', fields, ...listedValues(entry, environment) }
}

/**
 * Returns the differences between a lock and the service's list, sorted by slug, without held prompts.
 * A list has neither temperatures nor texts, so text that was rewritten under its version label is not
 * found.
 *
 * @param entries - the entries that the options select
 */
export function findDrift(lock: Lock, entries: readonly PromptSummary[]): Drift[] {
  const [listed, known] = [indexBySlug(entries), indexBySlug(lock.prompts)]
  const drift = lock.prompts.flatMap((pinned): Drift[] => {
    const { slug, held } = pinned
    if (held !== undefined) return []
    const entry = listed.get(slug)
    if (entry === undefined) return [{ kind: 'removed', slug, pinned }]
    const fields = compareWithList(pinned, entry, lock.environment)
    return fields.length === 0 ? [] : [{ kind: 'changed', slug, pinned, entry, fields }]
  })
  const added = entries.filter(({ slug }) => !known.has(slug))
  return sortBySlug([
    ...drift,
    ...added.map((entry) => ({ kind: 'added' as const, slug: entry.slug, entry })),
  ])
}
