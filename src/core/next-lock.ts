/**
 * What a lock becomes when the service is read: of each prompt the live and the staging part, each replaced,
 * kept, added or removed by itself.
 */
import { isNeedless } from './compare.ts'
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
  /**
   * Of a staging part that is not listed: whether its prompt is listed with a live version that the lock does not
   * get, and whether the part differs from the live part that stays.
   */
  readonly awaited: boolean
}

type Fate = 'keep' | 'take' | 'drop' | Exclude<KeptPart['reason'], 'dropped'>

/** What becomes of a part: the first line that applies; without one, it is `unread`. */
const FATES: readonly (readonly [fate: Fate, applies: (facts: Facts) => boolean])[] = [
  ['keep', ({ held, requested }) => held || !requested],
  ['drop', ({ wanted }) => !wanted],
  // Published, or discarded: until the lock has the live version, this is what staging serves.
  ['published', ({ listed, awaited }) => !listed && awaited],
  ['drop', ({ listed }) => !listed],
  ['refused', ({ refused }) => refused],
  ['take', ({ readable }) => readable],
  ['keep', ({ current }) => current],
]

/**
 * Returns the lock that follows from an answer of the service. Held parts stay. A staging part that has come to equal
 * the live part is left out.
 */
export function nextLock(
  lock: Lock,
  answer: ServiceAnswer,
  { isRequested = () => true, staging = true }: NextLockRequest = {},
): NextLock {
  const entries = indexBySlug(answer.entries)
  const [pinned, read] = [indexParts(lock.parts), indexParts(answer.parts)]
  const refusals = indexParts(answer.refused ?? [])
  const parts = new Map<string, PinnedPrompt>()
  const kept: KeptPart[] = []
  const slugs = new Set([...lock.parts, ...answer.entries].map(({ slug }) => slug))
  for (const id of [...slugs].flatMap(partIds)) {
    const key = partKey(id)
    const [part, entry] = [pinned.get(key), entries.get(id.slug)]
    const listed = entry && listedParts(entry).find((one) => one.environment === id.environment)
    const isStaging = id.environment === 'test'
    const live = isStaging ? parts.get(partKey({ ...id, environment: 'live' })) : undefined
    const facts: Facts = {
      held: part?.held !== undefined,
      requested: isRequested(id),
      wanted: !isStaging || staging,
      listed: listed !== undefined,
      current: listed?.version === part?.version,
      readable: entry !== undefined && isReadable(entry, id, answer.readable),
      // Another version may fit.
      refused: listed !== undefined && refusals.get(key)?.version === listed.version,
      awaited:
        isStaging &&
        part !== undefined &&
        entry !== undefined &&
        live?.version !== entry.liveVersion &&
        !isNeedless(part, live),
    }
    const fate = FATES.find(([, applies]) => applies(facts))?.[0] ?? 'unread'
    if (fate === 'drop') continue
    const next = fate === 'take' ? read.get(key) : part
    if (next && !(facts.requested && isNeedless(next, live))) parts.set(key, next)
    if (fate === 'keep' || fate === 'take') continue
    const labels = { version: parts.get(key)?.version ?? null, listed: listed?.version ?? null }
    const refused = fate === 'refused' && refusals.get(key)
    kept.push({ ...id, ...labels, reason: fate, ...(refused && { refused: refused.refused }) })
  }
  return { lock: { ...lock, parts: sortParts(parts.values()) }, kept }
}

/** The live part first, which says what becomes of the other one. */
function partIds(slug: string): PartId[] {
  return (['live', 'test'] as const).map((environment) => ({ slug, environment }))
}
