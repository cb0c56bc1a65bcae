import type { AppLocation } from '../../analysis/app/app.ts'
import { causesOf, isProven, placeOf, type SkippedChange } from '../../core/change-row.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { type ImpactReport, openImpactAnalysis } from '../usage/impact.ts'
import { findUsage } from '../usage/usage.ts'
import { type PullDraft, sortSkipped } from './draft.ts'

/** What a pull leaves so that the app compiles. */
export interface SkipPlan {
  readonly skipped: readonly SkippedChange[]
  /**
   * What the other changes break: nothing. `undefined` if there was nothing to check, and `null` if the app
   * can't be analysed.
   */
  readonly impact: ImpactReport | null | undefined
}

/**
 * Finds the changes of a pull that break the app. One type check names them, and one more verifies
 * the others; if that fails, every prompt that the app uses is left. A removed prompt is left if it is or
 * may be in use. If the app can't be analysed, every change that can break it is left.
 *
 * @param named - the first check, if it is made already: of all these changes
 */
export async function skipBreaking(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  named?: ImpactReport,
): Promise<SkipPlan> {
  if (riskyChanges(draft.before, draft.changes).length === 0)
    return { skipped: [], impact: undefined }
  try {
    const { skipped, impact } = await findBreaking(draft, location, named)
    return { skipped: sortSkipped(skipped), impact: { ...impact, findings: [] } }
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return { skipped: skipUnanalysed(draft, error), impact: null }
  }
}

async function findBreaking(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  named: ImpactReport | undefined,
): Promise<{ readonly skipped: readonly SkippedChange[]; readonly impact: ImpactReport }> {
  const analyse = await openImpactAnalysis(location)
  const check = (skipped: readonly SkippedChange[]): ImpactReport => {
    const left = new Set(skipped.map(({ change }) => change.slug))
    const prompts = applyChanges(
      before.prompts,
      changes.filter(({ slug }) => !left.has(slug)),
    )
    return analyse(before, { ...before, prompts })
  }
  const used = await skipUsed({ before, changes }, location)
  const impact = named ?? check(used)
  const { findings } = impact
  if (findings.length === 0) return { skipped: used, impact }
  const others = changes.filter((change) => !used.some((each) => each.change === change))
  const skipped = [...used, ...namedChanges(others, findings)]
  if (check(skipped).findings.length === 0) return { skipped, impact }
  return { skipped: await skipEveryUsed({ before, changes }, findings, location), impact }
}

/** The changes that findings are about. */
function namedChanges(
  changes: readonly PromptChange[],
  findings: readonly ImpactFinding[],
): SkippedChange[] {
  return [...causesOf(findings, changes)].map(([change, about]) => ({
    change,
    reason: about[0]?.reason ?? '',
    places: about.map((at) => placeOf(at, at.reason)),
    isBreaking: isProven(about),
  }))
}

/** All changes of prompts that the app uses or may use, with their uses and what is known to break. */
async function skipEveryUsed(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  findings: readonly ImpactFinding[],
  location: AppLocation,
): Promise<SkippedChange[]> {
  const { prompts, escapes } = await findUsage({ ...location, lock: before })
  const sites = new Map(prompts.map((prompt) => [prompt.slug, prompt.sites]))
  // Code that no prompt is known to break may need any of them.
  const usesAll = escapes.length > 0 || findings.some(({ slug }) => slug === null)
  return changes.flatMap((change) => {
    const about = findings.filter(({ slug }) => slug === change.slug)
    const uses = sites.get(change.slug) ?? []
    const reason = about[0]?.reason ?? UNCLEAR
    const places = [
      ...about.map((at) => placeOf(at, at.reason)),
      ...uses.map((at) => placeOf(at, reason)),
    ]
    const isUsed = usesAll || change.kind === 'added' || places.length > 0
    return isUsed ? [{ change, reason, places, isBreaking: isProven(about) }] : []
  })
}

const UNCLEAR = 'The app does not compile with the updates, and it is not clear which one breaks it'

/** The changes to skip if the app can't be analysed: those of contracts. */
export function skipUnanalysed(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  { why }: PromptsError,
): SkippedChange[] {
  const reason = `The app can't be analysed: ${why.split('\n', 1)[0]}`
  return riskyChanges(before, changes).map((change) => ({ change, reason, places: [] }))
}

/** The removed prompts that the app uses, or may use by passing on all prompts. */
async function skipUsed(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
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
    if (places.length === 0) return []
    const isBreaking = sites.length > 0
    return [{ change, reason, places: places.map((at) => placeOf(at, reason)), isBreaking }]
  })
}
