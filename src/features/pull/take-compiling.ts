/**
 * What a pull takes so that the app compiles. `--skip-breaking` and `--fix` choose in the same way: what has
 * an obstacle is left, one type check of the rest names what breaks, and one more verifies what remains. It may
 * name the end of a staging version whose live update is left, which then is left, too, and verified once more.
 */
import { analyseImpact, type ImpactReport } from '../../analysis/app/analyse-impact.ts'
import { type App, type AppLocation, openApp } from '../../analysis/app/app.ts'
import { type CodeEdit, editsByFile, pathFrom } from '../../analysis/app/place.ts'
import { causesOf, type ComparedRow, type Obstacle, skippedRow } from '../../core/change-row.ts'
import { applyChanges, type PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import type { PullDraft } from './draft.ts'

/** Changes that are taken or left together, such as the two of a renamed prompt. */
export interface Candidate {
  readonly changes: readonly PromptChange[]
  readonly obstacles: readonly Obstacle[]
  /** The edits of the app that belong to them. */
  readonly edits: readonly CodeEdit[]
}

interface Choice {
  readonly candidates: readonly Candidate[]
  readonly skipped: readonly ComparedRow[]
}

/**
 * Takes the candidates with which the app compiles. If the last check fails too, every prompt that the
 * app uses is left.
 *
 * @param firstReport - of the first check, if it is made already
 * @returns also what the first check found
 */
export function takeCompiling(
  app: App,
  before: Lock,
  candidates: readonly Candidate[],
  firstReport?: ImpactReport,
): Choice & { readonly impact: ImpactReport } {
  const check = (remaining: readonly Candidate[]): ImpactReport => {
    const after = applyChanges(
      before,
      remaining.flatMap(({ changes }) => changes),
    )
    const edits = editsByFile(remaining.flatMap((candidate) => candidate.edits))
    return analyseImpact(app, { before, after, edits })
  }
  let choice = leave({ candidates, skipped: [] }, ({ obstacles }) => obstacles)
  const impact = firstReport ?? check(choice.candidates)
  let report = impact
  for (let round = 0; round < 2 && report.findings.length > 0; round++) {
    choice = leaveNamed(choice, report, app.root)
    report = check(choice.candidates)
  }
  if (report.findings.length > 0)
    choice = leave(choice, (candidate) => unclearObstacles(candidate, report))
  return { ...choice, impact }
}

/** Also leaves the candidates that a check names. */
function leaveNamed(choice: Choice, { findings }: ImpactReport, root: string): Choice {
  const causes = causesOf(
    findings,
    choice.candidates.flatMap(({ changes }) => changes),
  )
  return leave(choice, ({ changes, edits }) => {
    const files = new Set(edits.map(({ source }) => pathFrom(root, source.fileName)))
    return [
      ...changes.flatMap((change) => causes.get(change) ?? []),
      ...findings.filter(({ slug, file }) => slug === null && files.has(file)),
    ]
  })
}

/** Also leaves the candidates with these obstacles, of which the first one is the reason. */
function leave(
  { candidates, skipped }: Choice,
  obstaclesOf: (candidate: Candidate) => readonly Obstacle[],
): Choice {
  const [free, more]: [Candidate[], ComparedRow[]] = [[], []]
  for (const candidate of candidates) {
    const obstacles = obstaclesOf(candidate)
    const [first] = obstacles
    if (first === undefined) free.push(candidate)
    else
      more.push(...candidate.changes.map((change) => skippedRow(change, first.reason, obstacles)))
  }
  return { candidates: free, skipped: [...skipped, ...more] }
}

/** The findings as obstacles to what the app uses, or may use: code without a prompt may need any. */
function unclearObstacles({ changes }: Candidate, { findings, used }: ImpactReport): Obstacle[] {
  const about = findings.filter(({ slug }) => changes.some((change) => change.slug === slug))
  if (about.length > 0) return about
  const isUsed =
    findings.some(({ slug }) => slug === null) ||
    changes.some(({ kind, slug }) => kind === 'added' || used.includes(slug))
  return isUsed ? findings.map((at) => ({ ...at, reason: UNKNOWN, kind: 'not-checked' })) : []
}

const UNKNOWN = 'The app does not compile with the updates, and it is not clear which one breaks it'

/** Takes the changes with which the app compiles as it is. */
export async function takeUnedited(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  firstReport?: ImpactReport,
): Promise<Choice & { readonly impact: ImpactReport }> {
  const candidates = changes.map((change) => ({ changes: [change], obstacles: [], edits: [] }))
  return takeCompiling(await openApp(location), before, candidates, firstReport)
}
