import {
  applyChanges,
  type ChangedPrompt,
  isChanged,
  type PromptChange,
} from '../../core/compare.ts'
import { contractChanges } from '../../core/classify-change.ts'
import { planNames } from '../../core/names.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import type { Place } from '../../analysis/app/place.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { openImpactAnalysis } from '../usage/impact.ts'
import { findUsage } from '../usage/usage.ts'
import { findLargestPart } from './largest-part.ts'
import { type PullDraft, type SkippedChange, sortSkipped } from './draft.ts'

/**
 * Finds the changes of a pull that the app does not survive: with all others it compiles. A
 * removed prompt is skipped if it is or may be in use. If the app can't be analysed, every change
 * of a contract is skipped.
 */
export async function skipBreaking(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
): Promise<SkippedChange[]> {
  const changes = draft.changes.filter(isChanged)
  try {
    const used = await skipUsed(draft, changes, { location })
    const slugs = new Set(used.map(({ change }) => change.slug))
    const others = changes.filter(({ slug }) => !slugs.has(slug)).map((change) => [change])
    const analyse = await openImpactAnalysis(location)
    const { before } = draft
    const { skipped } = takeChanges(others, (taken) => {
      const prompts = applyChanges(before.prompts, taken)
      return analyse(before, { ...before, prompts }).findings
    })
    return sortSkipped([...used, ...skipped])
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return skipUnanalysed(draft.changes, error)
  }
}

/** The changes to skip if the app can't be analysed: those of contracts. */
export function skipUnanalysed(
  changes: readonly PromptChange[],
  { why }: PromptsError,
): SkippedChange[] {
  const reason = `The app can't be analysed: ${why.split('\n', 1)[0]}`
  return skipContracts(changes).map((change) => ({ change, reason, places: [] }))
}

/**
 * The removed prompts that the app uses, or may use by passing on all prompts.
 *
 * @param renamed - slugs of prompts whose uses are edited, so that only the second counts. Default: none.
 */
export async function skipUsed(
  { before }: Pick<PullDraft, 'before'>,
  changes: readonly ChangedPrompt[],
  {
    location,
    renamed = new Set(),
  }: { readonly location: AppLocation; readonly renamed?: ReadonlySet<string> },
): Promise<SkippedChange[]> {
  const removed = changes.filter(({ kind }) => kind === 'removed')
  if (removed.length === 0) return []
  const { prompts, escapes } = await findUsage({ ...location, lock: before })
  return removed.flatMap((change) => {
    const found = prompts.find(({ slug }) => slug === change.slug)?.sites ?? []
    const sites = renamed.has(change.slug) ? [] : found
    const places = sites.length > 0 ? sites : escapes
    const use = sites.length > 0 ? 'is in use' : 'may be in use, where all prompts are passed on'
    const reason = `\`${change.slug}\` was removed and ${use}`
    return places.length === 0 ? [] : [{ change, reason, places: places.map(placeOf) }]
  })
}

/** Code that speaks against a change. */
export interface BlamingFinding extends Place {
  readonly slug: string | null
  readonly reason: string
}

/**
 * Takes as many changes as possible without breaking the compilation of the app.
 *
 * @param parts - changes that are only taken together
 * @param check - returns what speaks against some changes
 */
export function takeChanges(
  parts: readonly (readonly ChangedPrompt[])[],
  check: (changes: readonly ChangedPrompt[]) => readonly BlamingFinding[],
): { readonly taken: ChangedPrompt[]; readonly skipped: SkippedChange[] } {
  const bySlug = new Map(parts.flatMap((part) => part.map(({ slug }) => [slug, part])))
  const { taken, left } = findLargestPart(
    parts,
    (some) => check(some.flat()),
    ({ slug }) => (slug === null ? undefined : bySlug.get(slug)),
  )
  const skipped = [...left].flatMap(([part, findings]) => {
    const places = findings.map(placeOf)
    return part.map((change) => ({ change, reason: findings[0]?.reason ?? '', places }))
  })
  return { taken: [...taken].flat(), skipped }
}

/** What can break an app: changed contracts, and additions that take the identifier of another prompt. */
function skipContracts(changes: readonly PromptChange[]): ChangedPrompt[] {
  const { collisions } = planNames(changes.map(({ slug }) => slug))
  const taking = new Set(collisions.flatMap(({ slugs }) => slugs))
  const added = changes.filter((change) => change.kind === 'added')
  return [
    ...contractChanges(changes).map(({ change }) => change),
    ...added.filter(({ slug }) => taking.has(slug)),
  ]
}

function placeOf({ file, line, column }: Place): Place {
  return { file, line, column }
}
