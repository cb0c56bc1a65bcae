/**
 * What a pull takes so that the app compiles. `--skip-breaking` and `--fix` choose in the same way: what has
 * an obstacle is left, one type check of the rest names what breaks, and one more verifies what remains. It may
 * name the end of a staging version whose live update is left, which then is left, too, and verified once more.
 */
import { analyseImpact, type ImpactReport } from '../judge/analyse-impact.ts'
import type { App } from '../judge/app.ts'
import { relativePath } from '../fs/paths.ts'
import { type CodeEdit, editsByFile } from '../judge/place.ts'
import { causesOf, type ComparedRow, type ChangePlace, skippedRow } from '../core/change-row.ts'
import { applyChanges, type PromptChange } from '../core/compare.ts'
import type { Lock } from '../core/prompt.ts'

/** Changes that are taken or left together, such as the two of a renamed prompt. */
export interface ChangeGroup {
  readonly changes: readonly PromptChange[]
  readonly obstacles: readonly ChangePlace[]
  /** The edits of the app that belong to them. */
  readonly edits: readonly CodeEdit[]
}

/**
 * Takes the groups with which the app compiles. If the last check fails too, every prompt that the app uses is
 * left.
 *
 * @param first - what all changes break, if that is known already
 * @returns also the report of the first check
 */
export function takeCompiling<Group extends ChangeGroup>(
  app: App,
  before: Lock,
  groups: readonly Group[],
  first?: ImpactReport,
): {
  readonly taken: readonly Group[]
  readonly left: readonly ComparedRow[]
  readonly report: ImpactReport
} {
  let taken = groups
  const left: ComparedRow[] = []
  const leave = (obstaclesOf: (group: Group) => readonly ChangePlace[]): void => {
    const judged = taken.map((group) => ({ group, obstacles: obstaclesOf(group) }))
    taken = judged.flatMap(({ group, obstacles }) => (obstacles.length === 0 ? group : []))
    for (const { group, obstacles } of judged)
      for (const { reason } of obstacles.slice(0, 1))
        left.push(...group.changes.map((change) => skippedRow(change, reason, obstacles)))
  }
  const check = (): ImpactReport => {
    const after = applyChanges(
      before,
      taken.flatMap(({ changes }) => changes),
    )
    const edits = editsByFile(taken.flatMap((group) => group.edits))
    return analyseImpact(app, { before, after, edits })
  }
  leave(({ obstacles }) => obstacles)
  const report = first ?? check()
  let last = report
  for (let round = 0; round < 2 && last.findings.length > 0; round++) {
    leave(namedObstacles(taken, last, app.root))
    last = check()
  }
  if (last.findings.length > 0) leave((group) => unclearObstacles(group, last))
  return { taken, left, report }
}

/** The findings that name a change of a group, or are in a file that is edited for it. */
function namedObstacles(
  groups: readonly ChangeGroup[],
  { findings }: ImpactReport,
  root: string,
): (group: ChangeGroup) => readonly ChangePlace[] {
  const causes = causesOf(
    findings,
    groups.flatMap(({ changes }) => changes),
  )
  return ({ changes, edits }) => {
    const files = new Set(edits.map(({ source }) => relativePath(root, source.fileName)))
    return [
      ...changes.flatMap((change) => causes.get(change) ?? []),
      ...findings.filter(({ slug, file }) => slug === null && files.has(file)),
    ]
  }
}

/** The findings as obstacles to what the app uses, or may use: code without a prompt may need any. */
function unclearObstacles(
  { changes }: ChangeGroup,
  { findings, used }: ImpactReport,
): ChangePlace[] {
  const about = findings.filter(({ slug }) => changes.some((change) => change.slug === slug))
  if (about.length > 0) return about
  const isUsed =
    findings.some(({ slug }) => slug === null) ||
    changes.some(({ kind, slug }) => kind === 'added' || used.some((one) => one.slug === slug))
  return isUsed ? findings.map((at) => ({ ...at, reason: UNKNOWN, kind: 'not-checked' })) : []
}

const UNKNOWN = 'The app does not compile with the updates, and it is not clear which one breaks it'
