import { changeRows, type ChangeRow, type ComparedRow, withoutTexts } from './change-row.ts'
import { comparePrompts, isSamePrompt } from './compare.ts'
import type { Environment, Lock, PinnedPrompt } from './prompt.ts'
import { type PromptSummary, servedVersion } from './service.ts'
import { indexBySlug } from './text/order.ts'

/** A held prompt, and the update that it does not get. */
export interface HeldPrompt {
  readonly slug: string
  readonly reason: string
  /** Label of the pinned version. */
  readonly version: string
  /** `null` if the service's list has no difference; absent if the list was not read. */
  readonly update?: ChangeRow | null
}

/** A prompt with a staging version that is not published. */
export interface StagedPrompt {
  readonly slug: string
  /** Label of the staging version. */
  readonly version: string
}

/** Returns the prompts of a list that have a staging version. */
export function stagedPrompts(entries: readonly PromptSummary[]): StagedPrompt[] {
  return entries.flatMap(({ slug, stagingVersion: version, liveVersion }) =>
    version === null || version === liveVersion ? [] : [{ slug, version }],
  )
}

/** The rows of the test lock whose prompts become what the live lock has, and that break nothing. */
export function rowsAsLive(
  rows: readonly ComparedRow[],
  live: Lock | undefined,
): ReadonlySet<ComparedRow> {
  if (live === undefined) return new Set()
  const pinned = indexBySlug(live.prompts)
  const same = rows.filter(({ change, class: name }) => {
    const { after } = change
    const prompt = pinned.get(change.slug)
    const isAsLive = after === undefined ? prompt === undefined : isSamePrompt(after, prompt)
    return isAsLive && name !== 'breaking'
  })
  return new Set(same)
}

/** Returns a prompt as far as the list has it: with the pinned texts, or without any. */
export function listedPrompt(
  entry: PromptSummary,
  environment: Environment,
  pinned?: PinnedPrompt,
): PinnedPrompt {
  const { slug, folder, model } = entry
  const version = servedVersion(entry, environment)
  const unread = { temperature: 0, system: '', user: '', source: '' }
  return { ...unread, ...pinned, slug, folder, model, version }
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
    const entry = entries.get(slug)
    const [update] = compareWithList([pinned], entry ? [entry] : [], listed.environment)
    return [{ ...prompt, update: update ? withoutTexts(update) : null }]
  })
}

/**
 * Returns the differences between a lock and the service's list, sorted by slug, without held prompts.
 * A list has neither temperatures nor texts, so text that was rewritten under its version label is not
 * found.
 *
 * @param entries - the entries that the options select
 */
export function findDrift(lock: Lock, entries: readonly PromptSummary[]): ComparedRow[] {
  const held = new Set(heldPrompts(lock).map(({ slug }) => slug))
  const isCompared = ({ slug }: { readonly slug: string }): boolean => !held.has(slug)
  const [pinned, listed] = [lock.prompts.filter(isCompared), entries.filter(isCompared)]
  return compareWithList(pinned, listed, lock.environment)
}

function compareWithList(
  pinned: readonly PinnedPrompt[],
  entries: readonly PromptSummary[],
  environment: Environment,
): ComparedRow[] {
  const old = indexBySlug(pinned)
  const listed = entries.map((entry) => listedPrompt(entry, environment, old.get(entry.slug)))
  const unread = entries.map(({ slug }) => slug)
  return changeRows(comparePrompts(pinned, listed), { unread })
}
