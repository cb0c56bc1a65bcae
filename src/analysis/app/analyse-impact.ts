import { type ClassifiedChange, classifySnapshots } from '../../core/classify-change.ts'
import type { Lock } from '../../core/prompt.ts'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { debug } from '../../debug/debug.ts'
import { type App, type AppLocation, type AppPart, openApp } from './app.ts'
import { checkPart, type EditedCode, type PartCheck, UNEDITED } from './check-part.ts'
import type { ts } from './compiler.ts'
import {
  explainFailure,
  explainUnclear,
  type FailureContext,
  type ImpactFinding,
} from './explain-failure.ts'
import { type Place, sortPlaces } from './place.ts'
import { promptTypes } from './prompt-types.ts'
import { findUnclearValues } from './unclear-values.ts'

/** The code that a change of prompts breaks. */
export interface ImpactReport {
  /** Sorted by file and position. */
  readonly findings: readonly ImpactFinding[]
  /** The number of files that depend on prompts, all of which were checked. */
  readonly files: number
}

/**
 * Type-checks an app with new declarations in memory and returns the new errors.
 *
 * @param edited - code that is edited together with the prompts; findings are places in the old code
 */
export type ImpactAnalysis = (before: Lock, after: Lock, edited?: EditedCode) => ImpactReport

/**
 * Opens an app to analyse several changes, one after the other. Its files are read and parsed once.
 *
 * @param app - the app at this location, if it is open already
 * @throws PromptsError TSCONFIG_INVALID; the analysis throws TYPES_NOT_FOUND
 */
export function createImpactAnalysis(
  location: AppLocation,
  app: App = openApp(location),
): ImpactAnalysis {
  return (before, after, edited = UNEDITED) => {
    debug('analysis', () => `type check of ${app.root}`)
    const [old, now] = [planModule(before), planModule(after)]
    const context = {
      root: app.root,
      changes: changesBySlug(before, after),
      removedNames: listRemovedNames(old, now),
      edited,
    }
    const results = app.parts.map((part) => {
      const check = checkPart(part, old, now, edited)
      return {
        findings: explain(part, check, context),
        files: check.files.map(({ fileName }) => fileName),
      }
    })
    return {
      findings: sortPlaces(
        results.flatMap(({ findings }) => findings),
        ({ message }) => message,
      ),
      files: new Set(results.flatMap(({ files }) => files)).size,
    }
  }
}

function explain(
  part: AppPart,
  check: PartCheck,
  known: Pick<FailureContext, 'root' | 'changes' | 'removedNames'> & { edited: EditedCode },
): ImpactFinding[] {
  const { program, failures } = check
  const declarations = part.declarations(program)
  const types = promptTypes(program, declarations)
  const context = { ...known, program, types, reports: part.config.reports }
  const oldPlace = (file: ts.SourceFile, start: number): Partial<Place> | undefined =>
    known.edited.toOldPlace(file.fileName, start)
  const unclear = findUnclearValues({ ...check, types, declarations, changes: known.changes })
  return [
    ...failures.map((failure) => ({
      ...explainFailure(failure, context),
      ...oldPlace(failure.file, failure.start),
    })),
    ...unclear.map((value) => ({
      ...explainUnclear(value, context),
      ...oldPlace(value.node.getSourceFile(), value.node.getStart()),
    })),
  ]
}

/** The changes between two locks, by slug. */
function changesBySlug(before: Lock, after: Lock): Map<string, ClassifiedChange> {
  const changes = classifySnapshots(before.prompts, after.prompts)
  return new Map(changes.map((each) => [each.change.slug, each]))
}

function listRemovedNames(before: ModulePlan, after: ModulePlan): Map<string, string> {
  const kept = new Set(after.prompts.flatMap(({ names }) => names))
  const old = before.prompts.flatMap(({ names, prompt }) =>
    names.map((name) => [name, prompt.slug] as const),
  )
  return new Map(old.filter(([name]) => !kept.has(name)))
}
