/**
 * What a lock becomes when the service is read: of each prompt the live and the staging part, each replaced,
 * kept, added or removed by itself.
 */
import {
  type Environment,
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  sortParts,
} from './prompt.ts'
import {
  isReadable,
  listedParts,
  type PromptSummary,
  type Readable,
  type RefusedPart,
} from './service.ts'
import { indexBySlug } from './text/order.ts'

/** A list and what can be read of it. */
export interface ListAnswer {
  /** The entries that the options select. */
  readonly entries: readonly PromptSummary[]
  readonly readable: Readable
  /** The parts that were read and do not fit. Default: none. */
  readonly refused?: readonly RefusedPart[] | undefined
}

/** A part that stays as it is pinned, or is missing, although the list has another version. */
export interface KeptPart extends PartId {
  /** Label of the pinned version; `null` if none is pinned. */
  readonly version: string | null
  /** Label in the list; `null` if there is no such version. */
  readonly listed: string | null
  /**
   * `unread`: no key at hand reads it. `published`: the staging version was published, and the live update is
   * not taken. `dropped`: a merge could not decide, and no key reads it. `refused`: it does not fit.
   */
  readonly reason: 'unread' | 'published' | 'dropped' | 'refused'
  /** Only with `refused`: why, as the service says. It may contain remote text. */
  readonly refused?: string
}

/** A list and the parts that were read of it. */
export interface ServiceAnswer extends ListAnswer {
  readonly parts: readonly PinnedPrompt[]
}

export interface NextLock {
  readonly lock: Lock
  readonly kept: readonly KeptPart[]
}

export interface NextLockRequest {
  /** Whether a part is to be replaced by what was read. Default: every part. */
  readonly isRequested?: (part: PartId) => boolean
  /** Whether the lock has staging parts. Default: it has. */
  readonly staging?: boolean
}

/** Returns the lock that follows from an answer of the service. Held parts stay. */
export function nextLock(
  lock: Lock,
  answer: ServiceAnswer,
  { isRequested = () => true, staging = true }: NextLockRequest = {},
): NextLock {
  const [entries, pinned, read, refusals] = [
    indexBySlug(answer.entries),
    indexParts(lock.parts),
    indexParts(answer.parts),
    indexParts(answer.refused ?? []),
  ]
  const slugs = new Set([...lock.parts, ...answer.entries].map(({ slug }) => slug))
  const kept: KeptPart[] = []
  const next = (slug: string, environment: Environment, live?: PinnedPrompt) => {
    const id = { slug, environment }
    const [part, entry] = [pinned.get(partKey(id)), entries.get(slug)]
    if (part?.held !== undefined || !isRequested(id)) return part
    const listed = entry && listedParts(entry).find((one) => one.environment === environment)
    const labels = { version: part?.version ?? null, listed: listed?.version ?? null }
    if (environment === 'test' && !staging) return undefined
    if (listed === undefined) {
      if (environment === 'live' || part === undefined || entry === undefined) return undefined
      // Published, or discarded: until the lock has the live version, this is what staging serves.
      if (live?.version === entry.liveVersion) return undefined
      kept.push({ ...id, ...labels, reason: 'published' })
      return part
    }
    const refused = refusals.get(partKey(id))?.refused
    if (refused !== undefined) {
      kept.push({ ...id, ...labels, reason: 'refused', refused })
      return part
    }
    if (entry !== undefined && isReadable(entry, id, answer.readable)) return read.get(partKey(id))
    if (labels.version !== labels.listed) kept.push({ ...id, ...labels, reason: 'unread' })
    return part
  }
  const parts = [...slugs].flatMap((slug) => {
    const live = next(slug, 'live')
    return [live, next(slug, 'test', live)].filter((part) => part !== undefined)
  })
  return { lock: { ...lock, parts: sortParts(parts) }, kept }
}
