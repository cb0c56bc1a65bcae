import { changeRows, type ChangeRow, type ComparedRow, withoutTexts } from './change-row.ts'
import { compareLocks } from './compare.ts'
import { type ListAnswer, nextLock, type NextLock, type NextLockRequest } from './next-lock.ts'
import { indexParts, type Lock, type PartId, partKey, type PinnedPrompt } from './prompt.ts'
import { missingSettings } from './settings.ts'
import { listedParts, type PromptSummary, type Remarks } from './service.ts'

/** A held part, and the update that it does not get. */
export interface HeldPrompt extends PartId {
  readonly reason: string
  /** Label of the pinned version. */
  readonly version: string
  /** `null` if the service's list has no difference; absent if the list was not read. */
  readonly update?: ChangeRow | null
}

/**
 * Returns the parts of a list, with the texts that were read of these versions, or else those of the lock as far as
 * it has them. A new staging part has those of the live one.
 */
export function listedPrompts(
  { parts }: Lock,
  entries: readonly PromptSummary[],
  read?: PartlyRead['read'],
): PinnedPrompt[] {
  const pinned = indexParts(parts)
  const unread = { ...missingSettings(), system: '', user: '', source: '' }
  return entries.flatMap((entry) =>
    listedParts(entry).map((part): PinnedPrompt => {
      const { slug, environment, folder, version } = part
      const live = pinned.get(partKey({ slug, environment: 'live' }))
      const own = readPart(part, read) ?? pinned.get(partKey(part))
      const former = own ?? live
      const settings = { folder, model: part.model ?? former?.model ?? '' }
      // The list tells those of the live version. An unread staging part under its label is no other version.
      const isLive = environment === 'live' || (own === undefined && version === entry.liveVersion)
      const listed = isLive ? settings : undefined
      return { ...unread, ...former, ...listed, slug, environment, version, held: undefined }
    }),
  )
}

/** The part with its text, if that was read of this version. */
function readPart(
  part: PartId & { readonly version: string },
  read: PartlyRead['read'],
): PinnedPrompt | undefined {
  const text = read?.get(partKey(part))
  return text?.version === part.version ? text : undefined
}

/**
 * Returns the held parts of a lock, in its order.
 *
 * @param entries - the service's list. Default: no updates are reported
 */
export function heldPrompts(lock: Lock, entries?: readonly PromptSummary[]): HeldPrompt[] {
  const updates = entries === undefined ? undefined : indexParts(heldUpdates(lock, entries))
  return lock.parts.flatMap((part) => {
    if (part.held === undefined) return []
    const { slug, environment, version, held } = part
    const prompt = { slug, environment, reason: held.reason, version }
    return [updates ? { ...prompt, update: updates.get(partKey(part)) ?? null } : prompt]
  })
}

/** The same parts, of which none is held. */
export function withoutHolds({ parts }: Lock): Lock {
  return { parts: parts.map((part) => ({ ...part, held: undefined })) }
}

/** The differences between the prompts with a held part and the list, as if nothing was held. */
function heldUpdates(lock: Lock, listed: readonly PromptSummary[]): ChangeRow[] {
  const slugs = new Set(lock.parts.filter(({ held }) => held).map(({ slug }) => slug))
  const parts = lock.parts.filter(({ slug }) => slugs.has(slug))
  const entries = listed.filter(({ slug }) => slugs.has(slug))
  const readable = { live: 'all', staging: true } as const
  return listDifferences(withoutHolds({ parts }), { entries, readable }).rows.map(withoutTexts)
}

/** A list, and what was read of it before. */
export interface PartlyRead extends ListAnswer {
  /** Parts of the list, by {@link partKey}. Those of another version than it has do not count. Default: none. */
  readonly read?: ReadonlyMap<string, PinnedPrompt> | undefined
  readonly remarks?: ReadonlyMap<string, Remarks> | undefined
}

/**
 * Returns the differences between a lock and the service's list, without held parts and those that can't be
 * read. A list has neither temperatures nor texts, so text that was rewritten under its label is not found.
 */
export function listDifferences(
  lock: Lock,
  { read, remarks, ...answer }: PartlyRead,
  request?: NextLockRequest,
): { readonly rows: readonly ComparedRow[]; readonly kept: NextLock['kept'] } {
  const parts = listedPrompts(lock, answer.entries, read)
  const next = nextLock(lock, { ...answer, parts }, request)
  const changes = compareLocks(lock, next.lock)
  const unread = changes.flatMap(({ after }) => (after && !readPart(after, read) ? after : []))
  return { rows: changeRows(changes, { unread, remarks }), kept: next.kept }
}
