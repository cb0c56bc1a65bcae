/**
 * What a lock becomes when the service is read: of each prompt the live and the staging part, each replaced,
 * kept, added or removed by itself.
 */
import { prune } from './compare.ts'
import {
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
   * `unread`: no key at hand reads it. `dropped`: a merge could not decide, and no key reads it. `refused`: it
   * does not fit.
   */
  readonly reason: 'unread' | 'dropped' | 'refused'
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

/** What is known of a part that the lock or the list has. */
interface Facts {
  readonly held: boolean
  readonly requested: boolean
  /** Whether the lock has parts of its kind. */
  readonly wanted: boolean
  /** Whether the list has such a version, and whether it has the pinned label. */
  readonly listed: boolean
  readonly current: boolean
  readonly readable: boolean
  readonly refused: boolean
  /** Of a staging part: whether the list has a live version, and the lock gets none. */
  readonly alone: boolean
}

type Outcome = readonly [
  part: 'pinned' | 'read' | 'none',
  reason: KeptPart['reason'] | undefined,
  applies: (facts: Facts) => boolean,
]

/** What the lock gets of a part, and why that is not what the list has: the first line that applies. */
const OUTCOMES: readonly Outcome[] = [
  ['pinned', undefined, ({ held, requested }) => held || !requested],
  ['none', undefined, ({ wanted }) => !wanted],
  // A staging part never ends while the lock has no live part.
  ['pinned', undefined, ({ listed, alone }) => !listed && alone],
  ['none', undefined, ({ listed }) => !listed],
  ['pinned', 'refused', ({ refused }) => refused],
  ['read', undefined, ({ readable }) => readable],
  ['pinned', undefined, ({ current }) => current],
  ['pinned', 'unread', () => true],
]

/** Returns the lock that follows from an answer of the service, without needless staging parts. */
export function nextLock(
  before: Lock,
  answer: ServiceAnswer,
  { isRequested = () => true, staging = true }: NextLockRequest = {},
): NextLock {
  const entries = indexBySlug(answer.entries)
  const [pinned, read] = [indexParts(before.parts), indexParts(answer.parts)]
  const refusals = indexParts(answer.refused ?? [])
  const parts = new Map<string, PinnedPrompt>()
  const kept: KeptPart[] = []
  const slugs = new Set([...before.parts, ...answer.entries].map(({ slug }) => slug))
  for (const id of [...slugs].flatMap(partIds)) {
    const key = partKey(id)
    const [part, entry] = [pinned.get(key), entries.get(id.slug)]
    const listed = entry && listedParts(entry).find((one) => one.environment === id.environment)
    const isStaging = id.environment === 'test'
    const misfit = refusals.get(key)
    const facts: Facts = {
      held: part?.held !== undefined,
      requested: isRequested(id),
      wanted: !isStaging || staging,
      listed: listed !== undefined,
      current: listed?.version === part?.version,
      readable: entry !== undefined && isReadable(entry, id, answer.readable),
      // Another version may fit.
      refused: listed !== undefined && misfit?.version === listed.version,
      alone:
        isStaging &&
        entry?.liveVersion != null &&
        !parts.has(partKey({ ...id, environment: 'live' })),
    }
    const [source = 'none', reason] = OUTCOMES.find(([, , applies]) => applies(facts)) ?? []
    const next = { pinned: part, read: read.get(key), none: undefined }[source]
    if (next) parts.set(key, next)
    if (reason === undefined) continue
    const refused = reason === 'refused' && { refused: misfit?.refused ?? '' }
    kept.push({ ...id, version: null, listed: listed?.version ?? null, reason, ...refused })
  }
  const lock = prune({ parts: sortParts(parts.values()) })
  const now = indexParts(lock.parts)
  const versionOf = (id: PartId): string | null => now.get(partKey(id))?.version ?? null
  return { lock, kept: kept.map((part) => ({ ...part, version: versionOf(part) })) }
}

/** The live part first, which says what becomes of the other one. */
function partIds(slug: string): PartId[] {
  return (['live', 'test'] as const).map((environment) => ({ slug, environment }))
}
