import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { changeRows } from '../../core/change-row.ts'
import { comparePrompts } from '../../core/compare.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { debug } from '../../debug/debug.ts'
import type { App } from './app.ts'
import { checkPart } from './check-part.ts'
import type { CodeEdits } from './code-edits.ts'
import { explainFailure, explainUnclear } from './explain-failure.ts'
import { usesIn } from './find-uses.ts'
import { sortPlaces } from './place.ts'
import type { PromptCode } from './prompt-code.ts'
import { findUnclearValues } from './unclear-values.ts'

/** The code that a change of prompts breaks. */
export interface ImpactReport {
  /** Sorted by file and position. */
  readonly findings: readonly ImpactFinding[]
  /** The number of files that depend on prompts, all of which were checked. */
  readonly files: number
  /** The slugs of the prompts that the code uses or may use. */
  readonly used: readonly string[]
}

/** Two locks, and what is edited in the app. */
interface Update {
  /** The lock that the app uses now; `undefined` to find the errors that go away if every prompt is `any`. */
  readonly before: Lock | undefined
  /** The lock that the app would get. */
  readonly after: Lock
  /** Edits of the code, together with the prompts. Findings are places in the old code. Default: none. */
  readonly edits?: CodeEdits
}

/**
 * Type-checks an app with new declarations in memory and returns the new errors. Several updates of one app
 * can be analysed; its files are read and parsed once.
 *
 * @throws PromptsError TYPES_NOT_FOUND
 */
export function analyseImpact(
  { root, parts }: App,
  { before, after, edits = new Map() }: Update,
): ImpactReport {
  debug('analysis', () => `type check of ${root}`)
  const [old, now] = [before && planModule(before), planModule(after)]
  const rows = changeRows(comparePrompts(before?.prompts ?? [], after.prompts))
  const context = {
    root,
    edits,
    changes: indexBySlug(rows),
    removedNames: listRemovedNames(old, now),
  }
  const results = parts.map((part) => {
    const check = checkPart(part, old, now, edits)
    const unclear = findUnclearValues(check, context.changes)
    return {
      findings: [
        ...check.failures.map((failure) => explainFailure(failure, { ...context, ...check })),
        ...unclear.map((value) => explainUnclear(value, context)),
      ],
      files: check.files.map(({ fileName }) => fileName),
      used: usedSlugs(check.code, after),
    }
  })
  return {
    findings: sortPlaces(
      results.flatMap(({ findings }) => findings),
      ({ message }) => message,
    ),
    files: new Set(results.flatMap(({ files }) => files)).size,
    used: [...new Set(results.flatMap(({ used }) => used))],
  }
}

/** Code that passes on all prompts may use any. */
function usedSlugs(code: PromptCode, { prompts }: Lock): string[] {
  const usages = usesIn(code)
  return usages.some(({ escapes }) => escapes.length > 0)
    ? prompts.map(({ slug }) => slug)
    : usages.flatMap(({ uses }) => uses.flatMap(({ slugs }) => slugs))
}

function listRemovedNames(before: ModulePlan | undefined, after: ModulePlan): Map<string, string> {
  const remaining = new Set(after.prompts.flatMap(({ names }) => names))
  const old = (before?.prompts ?? []).flatMap(({ names, prompt: { slug } }) =>
    names.map((name) => [name, slug] as const),
  )
  return new Map(old.filter(([name]) => !remaining.has(name)))
}
