import {
  applyChanges,
  type ChangedPrompt,
  isChanged,
  type PromptChange,
} from '../../core/compare.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { toIdentifier } from '../../core/names.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import type { Place } from '../../analysis/app/place.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { openImpactAnalysis } from '../usage/impact.ts'
import { findUsage } from '../usage/usage.ts'
import { type PullDraft, type SkippedChange, sortSkipped } from './draft.ts'

/**
 * Finds the changes of a pull that break the app. One type check names them, and one more verifies
 * the others; if that fails, every prompt that the app uses is left. A removed prompt is left if it is or
 * may be in use. If the app can't be analysed, every change that can break it is left.
 */
export async function skipBreaking(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
): Promise<SkippedChange[]> {
  if (riskyChanges(draft.changes).length === 0) return []
  try {
    return sortSkipped(await findBreaking(draft, location))
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return skipUnanalysed(draft.changes, error)
  }
}

async function findBreaking(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
): Promise<SkippedChange[]> {
  const changed = changes.filter(isChanged)
  const analyse = await openImpactAnalysis(location)
  const check = (skipped: readonly SkippedChange[]): readonly BlamingFinding[] => {
    const left = new Set(skipped.map(({ change }) => change.slug))
    const prompts = applyChanges(
      before.prompts,
      changed.filter(({ slug }) => !left.has(slug)),
    )
    return analyse(before, { ...before, prompts }).findings
  }
  const used = await skipUsed({ before }, changed, location)
  const findings = check(used)
  if (findings.length === 0) return used
  const named = [...used, ...namedChanges(changed, findings)]
  return check(named).length === 0 ? named : skipEveryUsed({ before, changes }, findings, location)
}

/** The changes that findings are about: of their prompt, or an addition that took its identifier. */
function namedChanges(
  changes: readonly ChangedPrompt[],
  findings: readonly BlamingFinding[],
): SkippedChange[] {
  const causes = new Map<ChangedPrompt, BlamingFinding[]>()
  for (const finding of findings) {
    const { slug } = finding
    if (slug === null) continue
    const identifier = toIdentifier(slug)
    const takers = changes.filter(
      (change) =>
        change.kind === 'added' &&
        change.slug !== slug &&
        identifier !== undefined &&
        toIdentifier(change.slug) === identifier,
    )
    const named = takers.length > 0 ? takers : changes.filter((change) => change.slug === slug)
    for (const change of named) causes.set(change, [...(causes.get(change) ?? []), finding])
  }
  return [...causes].map(([change, about]) => ({
    change,
    reason: about[0]?.reason ?? '',
    places: about.map(placeOf),
  }))
}

/** All changes of prompts that the app uses or may use, with their uses and what is known to break. */
async function skipEveryUsed(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  findings: readonly BlamingFinding[],
  location: AppLocation,
): Promise<SkippedChange[]> {
  const { prompts, escapes } = await findUsage({ ...location, lock: before })
  const sites = new Map(prompts.map((prompt) => [prompt.slug, prompt.sites]))
  // Code that no prompt is known to break may need any of them.
  const usesAll = escapes.length > 0 || findings.some(({ slug }) => slug === null)
  return changes.filter(isChanged).flatMap((change) => {
    const places = [
      ...findings.filter(({ slug }) => slug === change.slug),
      ...(sites.get(change.slug) ?? []),
    ]
    const isUsed = usesAll || change.kind === 'added' || places.length > 0
    const reason = findings.find(({ slug }) => slug === change.slug)?.reason
    return isUsed ? [{ change, reason: reason ?? UNCLEAR, places: places.map(placeOf) }] : []
  })
}

const UNCLEAR = 'The app does not compile with the updates, and it is not clear which one breaks it'

/** The changes to skip if the app can't be analysed: those of contracts. */
export function skipUnanalysed(
  changes: readonly PromptChange[],
  { why }: PromptsError,
): SkippedChange[] {
  const reason = `The app can't be analysed: ${why.split('\n', 1)[0]}`
  return riskyChanges(changes).map((change) => ({ change, reason, places: [] }))
}

/** The removed prompts that the app uses, or may use by passing on all prompts. */
async function skipUsed(
  { before }: Pick<PullDraft, 'before'>,
  changes: readonly ChangedPrompt[],
  location: AppLocation,
): Promise<SkippedChange[]> {
  const removed = changes.filter(({ kind }) => kind === 'removed')
  if (removed.length === 0) return []
  const { prompts, escapes } = await findUsage({ ...location, lock: before })
  return removed.flatMap((change) => {
    const sites = prompts.find(({ slug }) => slug === change.slug)?.sites ?? []
    const places = sites.length > 0 ? sites : escapes
    const use = sites.length > 0 ? 'is in use' : 'may be in use, where all prompts are passed on'
    const reason = `\`${change.slug}\` was removed and ${use}`
    return places.length === 0 ? [] : [{ change, reason, places: places.map(placeOf) }]
  })
}

/** Code that speaks against a change. */
interface BlamingFinding extends Place {
  readonly slug: string | null
  readonly reason: string
}

function placeOf({ file, line, column }: Place): Place {
  return { file, line, column }
}
