import { type AppLocation, openApp } from '../../analysis/app/app.ts'
import { createImpactAnalysis } from '../../analysis/app/analyse-impact.ts'
import type { ImpactFinding } from '../../analysis/app/explain-failure.ts'
import { applyChanges, comparePrompts, type ChangedPrompt } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { editedCode } from './edited-code.ts'
import type { ConfirmedRename, FixedFile } from './fix-plan.ts'
import {
  appliedPromptRenames,
  promptNameChanges,
  renamePrompts,
  variableNameChanges,
} from './plan-names.ts'
import { type AppStep, type FixFinding, rewriteApp, type StepRequest } from './rewrite-app.ts'

/** A file with its edits, as text without a byte order mark. */
export type RewrittenFile = Omit<FixedFile, 'file'>

/** The edits for a set of changes. */
export interface FixResult {
  /** What keeps the changes from being taken together; empty if the edited app compiles. */
  readonly findings: readonly FixFinding[]
  /** Empty if there are findings. */
  readonly files: readonly RewrittenFile[]
}

/** The app and the renames to fix it for. */
export interface FixAnalysisRequest extends Pick<StepRequest, 'reasonAgainst'> {
  readonly location: AppLocation
  readonly before: Lock
  readonly renames: readonly ConfirmedRename[]
}

/**
 * Opens an app to find the edits with which it compiles after a set of changes: first the renames of
 * prompts, then those of their variables.
 *
 * @throws PromptsError TSCONFIG_INVALID; the analysis throws TYPES_NOT_FOUND
 */
export function createFixAnalysis(
  request: FixAnalysisRequest,
): (changes: readonly ChangedPrompt[]) => FixResult {
  const { location, before, renames, reasonAgainst } = request
  const app = openApp(location)
  const analyseImpact = createImpactAnalysis(location, app)
  return (changes) => {
    const after = { ...before, prompts: applyChanges(before.prompts, changes) }
    const done: AppStep[] = []
    for (const step of stepsBetween(before, after, { renames, changes })) {
      const edited = editedCode(done)
      const rewritten = rewriteApp(app, { ...step, name: location.name, edited, reasonAgainst })
      if (rewritten.findings.length > 0) return { findings: rewritten.findings, files: [] }
      done.push(rewritten)
    }
    const impact = analyseImpact(before, after, editedCode(done))
    const findings = impact.findings.map((each) => ({ ...each, reason: reasonOf(each) }))
    return { findings, files: findings.length === 0 ? rewrittenFiles(done) : [] }
  }
}

/** The reason of a finding. That an edit leaves a name unused is in the message only. */
function reasonOf({ message, reason }: ImpactFinding): string {
  const [summary = ''] = message.split('\n')
  return /\bis (?:declared but|never)\b.*\b(?:read|used)\b/.test(summary) ? summary : reason
}

function stepsBetween(
  before: Lock,
  after: Lock,
  known: {
    readonly renames: readonly ConfirmedRename[]
    readonly changes: readonly ChangedPrompt[]
  },
): Pick<StepRequest, 'from' | 'to' | 'names' | 'slugs'>[] {
  const applied = appliedPromptRenames(known.renames, known.changes)
  const renamed = renamePrompts(before, applied)
  const updates = comparePrompts(renamed.prompts, after.prompts)
  const taken = new Set(updates.filter(({ kind }) => kind === 'updated').map(({ slug }) => slug))
  const slugs = new Set(
    known.renames.flatMap((rename) =>
      rename.kind === 'variable' && taken.has(rename.slug) ? [rename.slug] : [],
    ),
  )
  const prompts = promptNameChanges(before, applied)
  const variables = variableNameChanges(updates, known.renames)
  return [
    { from: before, to: renamed, names: prompts, slugs: new Set<string>() },
    { from: renamed, to: after, names: variables, slugs },
  ].filter(({ names: { renamed: names, removed } }) => names.size + removed.size > 0)
}

/** The files of all steps, with their first and their last text. */
function rewrittenFiles(steps: readonly AppStep[]): RewrittenFile[] {
  const { texts } = editedCode(steps)
  return [...texts].map(([path, after]) => ({
    path,
    after,
    before: steps.find((step) => step.texts.has(path))?.texts.get(path) ?? '',
    places: steps.flatMap((step) => step.places.get(path) ?? []),
  }))
}
