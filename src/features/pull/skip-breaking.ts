/**
 * What a pull leaves so that the app compiles. `--skip-breaking` and `--fix` choose in the same way: what has
 * an obstacle is left, one type check of the rest names what breaks, and one more verifies what remains.
 */
import type { App, AppLocation } from '../../analysis/app/app.ts'
import { causesOf, type ComparedRow, type Obstacle, skippedRow } from '../../core/change-row.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import type { CheckedImpact } from '../usage/impact.ts'
import { findUnnamedChanges } from '../usage/unnamed-changes.ts'
import type { PullDraft } from './draft.ts'

/** What a pull leaves so that the app compiles. */
export interface SkipPlan {
  readonly skipped: readonly ComparedRow[]
  /** What the other changes break: nothing, as far as the app can be analysed. */
  readonly impact: CheckedImpact
}

/**
 * Finds the changes of a pull that break the app. A removed prompt is left if it is or may be in use. If
 * the app can't be analysed, every change that can break it is left.
 *
 * @param firstReport - of the first check, if it is made already: of all these changes
 */
export async function skipBreaking(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  firstReport?: ImpactReport,
): Promise<SkipPlan> {
  const { before, changes } = draft
  if (riskyChanges(before, changes).length === 0)
    return { skipped: [], impact: { kind: 'harmless' } }
  const update = { ...location, before, after: applyChanges(before, changes) }
  const unnamed = await findUnnamedChanges(update)
  if (unnamed) return { skipped: [], impact: { kind: 'checked', report: unnamed } }
  try {
    const { openApp } = await import('../../analysis/app/app.ts')
    const { analyseImpact } = await import('../../analysis/app/analyse-impact.ts')
    const app = await openApp(location)
    const usesOf = await findUses(draft, app)
    const candidates = changes.map((change) => ({
      changes: [change],
      obstacles: usesOf(change),
      files: [],
    }))
    const { skipped, impact } = takeCompiling(candidates, firstReport, (remaining) => {
      const applied = remaining.flatMap((candidate) => candidate.changes)
      return analyseImpact(app, { before, after: applyChanges(before, applied) })
    })
    return { skipped, impact: { kind: 'checked', report: { ...impact, findings: [] } } }
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return {
      skipped: skipUnanalysed(draft, error),
      impact: { kind: 'unchecked', reason: error.why },
    }
  }
}

/** Returns a function for the uses of a removed prompt, or the places that may use any prompt. */
async function findUses(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  app: App,
): Promise<(change: PromptChange) => Obstacle[]> {
  if (changes.every(({ kind }) => kind !== 'removed')) return () => []
  const { analyseUsage } = await import('../../analysis/app/analyse-usage.ts')
  const { withCode } = await import('../../analysis/app/code-line.ts')
  const { prompts, escapes } = analyseUsage(app, before)
  const unproven = withCode(escapes, app.root)
  return ({ kind, slug }) => {
    if (kind !== 'removed') return []
    const { sites = [] } = prompts.find((prompt) => prompt.slug === slug) ?? {}
    if (sites.length === 0) {
      const reason = `\`${slug}\` was removed and may be in use here`
      return unproven.map((at) => ({ ...at, reason, kind: 'unproven' }))
    }
    const reason = `\`${slug}\` was removed and is in use`
    return withCode(sites, app.root).map(({ kind: use, ...at }) => {
      return { ...at, reason, kind: use === 'unproven' ? use : 'compile' }
    })
  }
}

/** Changes that are taken or left together, such as the two of a renamed prompt. */
export interface Candidate {
  readonly changes: readonly PromptChange[]
  readonly obstacles: readonly Obstacle[]
  readonly files: readonly string[]
}

interface Choice<Some> {
  readonly candidates: readonly Some[]
  readonly skipped: readonly ComparedRow[]
}

/**
 * Takes the candidates with which the app compiles. If the second check fails too, every prompt that the
 * app uses is left.
 *
 * @param firstReport - of the first check, if it is made already
 * @returns also what the first check found
 */
export function takeCompiling<Some extends Candidate>(
  candidates: readonly Some[],
  firstReport: ImpactReport | undefined,
  check: (candidates: readonly Some[]) => ImpactReport,
): Choice<Some> & { readonly impact: ImpactReport } {
  const free = leave({ candidates, skipped: [] }, ({ obstacles }) => obstacles)
  const impact = firstReport ?? check(free.candidates)
  if (impact.findings.length === 0) return { ...free, impact }
  const causes = causesOf(
    impact.findings,
    free.candidates.flatMap(({ changes }) => changes),
  )
  const rest = leave(free, ({ changes, files }) => [
    ...changes.flatMap((change) => causes.get(change) ?? []),
    ...impact.findings.filter(({ slug, file }) => slug === null && files.includes(file)),
  ])
  const last = check(rest.candidates)
  if (last.findings.length === 0) return { ...rest, impact }
  return { ...leave(rest, (candidate) => unprovenObstacles(candidate, last)), impact }
}

/** Also leaves the candidates with these obstacles, of which the first one is the reason. */
function leave<Some extends Candidate>(
  { candidates, skipped }: Choice<Some>,
  obstaclesOf: (candidate: Some) => readonly Obstacle[],
): Choice<Some> {
  const obstacles = new Map(candidates.map((candidate) => [candidate, obstaclesOf(candidate)]))
  const more = [...obstacles].flatMap(([{ changes }, [first, ...others]]) => {
    if (first === undefined) return []
    return changes.map((change) => skippedRow(change, first.reason, [first, ...others]))
  })
  return {
    candidates: candidates.filter((candidate) => obstacles.get(candidate)?.length === 0),
    skipped: [...skipped, ...more],
  }
}

/** The findings as obstacles to what the app uses, or may use: code without a prompt may need any. */
function unprovenObstacles({ changes }: Candidate, { findings, used }: ImpactReport): Obstacle[] {
  const about = findings.filter(({ slug }) => changes.some((change) => change.slug === slug))
  if (about.length > 0) return about
  const isUsed =
    findings.some(({ slug }) => slug === null) ||
    changes.some(({ kind, slug }) => kind === 'added' || used.includes(slug))
  return isUsed ? findings.map((at) => ({ ...at, reason: UNKNOWN, kind: 'unproven' })) : []
}

const UNKNOWN = 'The app does not compile with the updates, and it is not clear which one breaks it'

/** The changes to skip if the app can't be analysed: those of contracts. */
export function skipUnanalysed(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  { why }: PromptsError,
): ComparedRow[] {
  const reason = `The app can't be analysed: ${why.split('\n', 1)[0]}`
  return riskyChanges(before, changes).map((change) => skippedRow(change, reason))
}
