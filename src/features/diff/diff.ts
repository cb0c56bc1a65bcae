import { comparePrompts, type PromptChange } from '../../core/compare.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PromptSummary } from '../../core/service.ts'
import { assertKnownSlugs } from '../../errors/assert-known-slugs.ts'
import type { CallOptions } from '../../service/client-options.ts'
import { readWorkspace } from '../../service/read-workspace.ts'
import type { Project } from '../project/project.ts'

/** What to compare, and how to call the service. */
export interface DiffRequest extends CallOptions {
  /** The lock, of either environment. */
  readonly before: Lock
  /** Only these prompts. Default: all but the held ones. */
  readonly slugs?: readonly string[] | undefined
}

/** How two snapshots differ. */
export interface DiffReport {
  /** One for each prompt of either side that was compared, by code point of the slug. */
  readonly changes: readonly PromptChange[]
}

/** The differences between the service and a lock. */
export interface ServiceDiffReport extends DiffReport {
  /** The held prompts, which are only compared if they were asked for. */
  readonly held: readonly HeldPrompt[]
  /** As the service returned it. */
  readonly planStatus: string
  /** Single reads, which services often meter. */
  readonly reads: number
}

/**
 * Compares a lock with the service, texts and settings included. Writes nothing.
 *
 * @throws PromptsError KEY_MISSING; SLUG_UNKNOWN for a slug that neither side has; what
 *   {@link readWorkspace} throws
 */
export async function readDiff(
  { options, withService }: Pick<Project, 'options' | 'withService'>,
  { before, slugs, ...call }: DiffRequest,
): Promise<ServiceDiffReport> {
  const { isSelected, concurrency, environment } = options
  const heldSlugs = new Set(heldPrompts(before).map(({ slug }) => slug))
  const isRequested =
    slugs === undefined ? (prompt: HasSlug) => !heldSlugs.has(prompt.slug) : isOneOf(slugs)
  const pinned = before.prompts.filter(isRequested)
  const isCompared = (entry: PromptSummary): boolean =>
    (isSelected(entry) || heldSlugs.has(entry.slug)) && isRequested(entry)
  const request = { isSelected: isCompared, findPinned: () => undefined, concurrency, ...call }
  const { prompts, listed, planStatus, reads } = await withService(
    (service) => readWorkspace(service, request),
    call,
  )
  assertKnownSlugs(slugs, {
    where: 'The workspace',
    found: [...pinned, ...prompts],
    listed: [...before.prompts, ...listed],
  })
  const held = heldPrompts(before, { entries: listed, environment })
  return { changes: comparePrompts(pinned, prompts), held, planStatus, reads }
}

/**
 * Compares two locks.
 *
 * @param slugs - only these prompts; all if it is left out
 * @throws PromptsError SLUG_UNKNOWN for a slug that neither lock has
 */
export function diffLocks(before: Lock, after: Lock, slugs?: readonly string[]): DiffReport {
  const found = [...before.prompts, ...after.prompts]
  assertKnownSlugs(slugs, { where: 'This comparison', found })
  const isRequested = isOneOf(slugs)
  return {
    changes: comparePrompts(before.prompts.filter(isRequested), after.prompts.filter(isRequested)),
  }
}

interface HasSlug {
  readonly slug: string
}

function isOneOf(slugs: readonly string[] | undefined): (prompt: HasSlug) => boolean {
  return ({ slug }) => slugs?.includes(slug) ?? true
}
