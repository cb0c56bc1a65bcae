import { type AppLocation, openApp } from '../../analysis/app/app.ts'
import { changesBySlug, createImpactAnalysis } from '../../analysis/app/analyse-impact.ts'
import type { ImpactFinding } from '../../analysis/app/explain-failure.ts'
import { planModule } from '../../codegen/plan-module.ts'
import { printDeclarations } from '../../codegen/declarations.ts'
import { applyChanges, type ChangedPrompt, comparePrompts } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import {
  appliedPromptRenames,
  type ConfirmedRename,
  promptNameChanges,
  renamePrompts,
  variableNameChanges,
} from './renames.ts'
import { type AppEdits, editedCode, rewriteApp, type RewriteRequest } from './rewrite-app.ts'

/** The app and the renames to fix it for. */
interface FixAnalysisRequest extends Pick<RewriteRequest, 'reasonAgainst'> {
  readonly location: AppLocation
  readonly before: Lock
  readonly renames: readonly ConfirmedRename[]
}

/**
 * Opens an app to find the edits for a set of changes. Without findings, the edited app compiles.
 *
 * @throws PromptsError TSCONFIG_INVALID; the analysis throws TYPES_NOT_FOUND
 */
export function createFixAnalysis(
  request: FixAnalysisRequest,
): (changes: readonly ChangedPrompt[]) => AppEdits {
  const { location, before } = request
  const app = openApp(location)
  const analyseImpact = createImpactAnalysis(location, app)
  const declared = declare(location, before)
  return (changes) => {
    const after = { ...before, prompts: applyChanges(before.prompts, changes) }
    const rewritten = rewriteApp(app, planRewrite(request, changes, { declared, after }))
    if (rewritten.findings.length > 0) return rewritten
    const impact = analyseImpact(before, after, editedCode(rewritten, app.root))
    const findings = impact.findings.map((each) => ({ ...each, reason: reasonOf(each) }))
    return { ...rewritten, findings }
  }
}

function declare({ name }: AppLocation, lock: Lock): string {
  return printDeclarations(planModule(lock), name)
}

/** The reason of a finding. That an edit leaves a name unused is in the message only. */
function reasonOf({ message, reason }: ImpactFinding): string {
  const [summary = ''] = message.split('\n')
  return /\bis (?:declared but|never)\b.*\b(?:read|used)\b/.test(summary) ? summary : reason
}

/** Compares with the new names of prompts, and then with all changes but these. */
function planRewrite(
  { location, before, renames, reasonAgainst }: FixAnalysisRequest,
  changes: readonly ChangedPrompt[],
  { declared, after }: { readonly declared: string; readonly after: Lock },
): RewriteRequest {
  const applied = appliedPromptRenames(renames, changes)
  const undone = applied.map(({ from, to }) => ({ from: to, to: from }))
  const renamed = renamePrompts(before, applied)
  const updates = comparePrompts(renamed.prompts, after.prompts)
  const comparisons = [
    { names: promptNameChanges(before, applied), lock: renamed },
    { names: variableNameChanges(updates, renames), lock: renamePrompts(after, undone) },
  ]
  const formers = new Map(undone.map(({ from, to }) => [from, to]))
  const updated = new Set(updates.filter(({ kind }) => kind === 'updated').map(({ slug }) => slug))
  const slugs = renames
    .filter((rename) => rename.kind === 'variable')
    .filter(({ slug }) => updated.has(slug))
    .map(({ slug }) => formers.get(slug) ?? slug)
  return {
    before: declared,
    comparisons: comparisons
      .filter(({ names }) => names.size > 0)
      .map(({ names, lock }) => ({ names, after: declare(location, lock) })),
    slugs: new Set(slugs),
    changes: changesBySlug(before, after),
    reasonAgainst,
  }
}
