import {
  type EditableTexts,
  editPrompt,
  type Environment,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
  viewOf,
  withParts,
} from '../core/prompt.ts'
import { isSamePrompt } from '../core/compare.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { assertKnownSlugs, findKnownPrompt } from '../errors/assert-known-slugs.ts'
import { isHead } from '../fs/git.ts'
import type { LockOrigin } from '../fs/lock-store.ts'

/**
 * A lock with held parts: no pull changes them.
 *
 * @param reason - Default: the reason that a part already has, or none
 */
export function holdParts(
  lock: Lock,
  slugs: readonly string[],
  environment: Environment,
  reason: string | undefined,
): Lock {
  return changeParts(lock, slugs, environment, (part) => ({
    ...part,
    held: { reason: reason ?? part.held?.reason ?? '' },
  }))
}

/** A lock with parts that the next pull updates again. */
export function unholdParts(lock: Lock, slugs: readonly string[], environment: Environment): Lock {
  return changeParts(lock, slugs, environment, (part) => ({ ...part, held: undefined }))
}

function changeParts(
  lock: Lock,
  slugs: readonly string[],
  environment: Environment,
  change: (part: PinnedPrompt) => PinnedPrompt,
): Lock {
  const prompts = lock.parts.filter((part) => part.environment === environment)
  assertKnownSlugs(slugs, { noun: describeParts(environment), prompts, parts: lock.parts })
  const named = prompts.filter(({ slug }) => slugs.includes(slug))
  return withParts(lock, named.map(change))
}

/** The parts of a lock as errors name them. */
function describeParts(environment: Environment): string {
  return environment === 'live' ? 'live prompt in the lock' : 'staging version in the lock'
}

/**
 * Returns a lock with a part whose text was edited here, and held. With the same texts, it is only held if there is
 * another reason for that. Editing a staging part that does not exist creates it from the live part.
 *
 * @param reason - for the reviewers of the lock. Default: the reason that the part already has, or none
 */
export function editPart(
  lock: Lock,
  slug: string,
  environment: Environment,
  texts: EditableTexts,
  reason: string | undefined,
): Lock {
  const { prompts } = viewOf(lock, environment)
  const pinned = findKnownPrompt(slug, prompts, describeParts(environment), lock.parts)
  const isNew = pinned.environment !== environment
  const part = isNew ? { ...pinned, environment, held: undefined } : pinned
  const edited = editPrompt(part, texts, reason)
  if (edited !== part) return withParts(lock, [edited])
  const isHeld = !isNew && reason !== undefined && reason !== (part.held?.reason ?? '')
  return isHeld ? holdParts(lock, [slug], environment, reason) : lock
}

/** A former version of a part. */
interface FormerPart extends PartId {
  readonly revision: string
  /** Why it is held. Default: as in that revision, held or not. */
  readonly reason: string | undefined
}

/** Why a part is held that is restored from a revision; `undefined` for HEAD, which a pull had left as it is. */
export async function holdReason(
  { path }: Pick<LockOrigin, 'path'>,
  revision: string,
  name: string = revision,
): Promise<string | undefined> {
  return (await isHead(path, revision)) ? undefined : `restored from ${name}`
}

/** A lock with a part as the lock of a git revision has it; itself if it has that already, held for any reason. */
export function restorePart(
  lock: Lock,
  former: Lock | undefined,
  { slug, environment, revision, reason }: FormerPart,
): Lock {
  if (former === undefined)
    throw new PromptsError('REVISION_UNREADABLE', { revision, reason: 'it has no lock' })
  const parts = former.parts.filter((part) => part.environment === environment)
  const noun = `${describeParts(environment)} of ${revision}`
  const part = findKnownPrompt(slug, parts, noun, former.parts)
  const held = reason === undefined ? part.held : { reason }
  const pinned = lock.parts.find((other) => partKey(other) === partKey(part))
  const hasHold =
    reason === undefined ? pinned?.held?.reason === held?.reason : pinned?.held !== undefined
  const isRestored = pinned !== undefined && isSamePrompt(pinned, part) && hasHold
  return isRestored ? lock : withParts(lock, [{ ...part, held }])
}
