import { changeRows, type ChangeRow } from '../../core/change-row.ts'
import { comparePrompts } from '../../core/compare.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { debug } from '../../debug/debug.ts'
import { usesIn } from './analyse-usage.ts'
import { type App, type AppLocation, type AppPart, openApp } from './app.ts'
import { applyEdits, type CodeEdits, toOldPosition } from './code-edits.ts'
import { ts } from './compiler.ts'
import { explainFailure, explainUnclear, type FailureContext } from './explain-failure.ts'
import { dependents, moduleGraph } from './module-graph.ts'
import { sortPlaces } from './place.ts'
import { promptTypes } from './prompt-types.ts'
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

/**
 * Type-checks an app with new declarations in memory and returns the new errors. Without a snapshot
 * before, these are the errors that go away if every prompt is `any`.
 *
 * @param edits - of the code, together with the prompts; findings are places in the old code
 */
export type ImpactAnalysis = (
  before: Lock | undefined,
  after: Lock,
  edits?: CodeEdits,
) => ImpactReport

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
  return (before, after, edits = new Map()) => {
    debug('analysis', () => `type check of ${app.root}`)
    const [old, now] = [before && planModule(before), planModule(after)]
    const context = {
      root: app.root,
      changes: changesBySlug(before, after),
      removedNames: old === undefined ? new Map() : listRemovedNames(old, now),
      edits,
    }
    const results = app.parts.map((part) => {
      const check = checkPart(part, old, now, edits)
      return {
        findings: explain(part, check, context),
        files: check.files.map(({ fileName }) => fileName),
        used: usedSlugs(part, check, after),
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
}

function explain(
  part: AppPart,
  check: PartCheck,
  known: Pick<FailureContext, 'root' | 'changes' | 'removedNames' | 'edits'>,
): ImpactFinding[] {
  const { program, failures } = check
  const declarations = part.declarations(program)
  const types = promptTypes(program, declarations)
  const context = { ...known, program, types, reports: part.config.reports }
  const unclear = findUnclearValues({ ...check, types, declarations, changes: known.changes })
  return [
    ...failures.map((failure) => explainFailure(failure, context)),
    ...unclear.map((value) => explainUnclear(value, context)),
  ]
}

/** Code that passes on all prompts may use any. */
function usedSlugs(part: AppPart, { program, files }: PartCheck, { prompts }: Lock): string[] {
  const declarations = part.declarations(program)
  const types = promptTypes(program, declarations)
  const usages = usesIn(part, { program, types, dependents: files, declarations })
  return usages.some(({ escapes }) => escapes.length > 0)
    ? prompts.map(({ slug }) => slug)
    : usages.flatMap(({ uses }) => uses.flatMap(({ slugs }) => slugs))
}

/** The changes between two locks, by slug. */
function changesBySlug(before: Lock | undefined, after: Lock): Map<string, ChangeRow> {
  const rows = changeRows(comparePrompts(before?.prompts ?? [], after.prompts))
  return new Map(rows.map((row) => [row.slug, row]))
}

function listRemovedNames(before: ModulePlan, after: ModulePlan): Map<string, string> {
  const kept = new Set(after.prompts.flatMap(({ names }) => names))
  const old = before.prompts.flatMap(({ names, prompt }) =>
    names.map((name) => [name, prompt.slug] as const),
  )
  return new Map(old.filter(([name]) => !kept.has(name)))
}

/** The result of checking a part of the app with two versions of the declarations. */
interface PartCheck {
  readonly program: ts.Program
  /** The errors with the new declarations that the current ones do not have. */
  readonly failures: readonly ts.DiagnosticWithLocation[]
  /** The errors that both have. */
  readonly oldFailures: readonly ts.DiagnosticWithLocation[]
  /** The files that depend on the declarations. */
  readonly files: readonly ts.SourceFile[]
}

/**
 * Type-checks the files that depend on the declarations with the new ones. Files with errors are checked
 * again with the current ones, and only new errors are returned. Most files are checked once.
 */
function checkPart(
  part: AppPart,
  before: ModulePlan | undefined,
  after: ModulePlan,
  edits: CodeEdits,
): PartCheck {
  const texts = new Map(
    [...edits].map(([path, own]) => [path, applyEdits(own[0]?.source.text ?? '', own)]),
  )
  const program = part.program(after, undefined, texts)
  const files = checkedFiles(program, part)
  const failing = files.flatMap((file) => [
    ...(texts.has(file.fileName) ? program.getSyntacticDiagnostics(file) : []),
    ...diagnosticsOf(program, file),
  ])
  if (failing.length === 0) return { program, failures: [], oldFailures: [], files }
  const old = knownFailures(part.program(before, program), failing)
  const isOld = ({ file, start, code }: ts.DiagnosticWithLocation): boolean =>
    old.has(keyOf({ file, code, start: toOldPosition(edits.get(file.fileName), start) }))
  const failures = failing.filter((failure) => !isOld(failure))
  return { program, failures, oldFailures: failing.filter(isOld), files }
}

/**
 * Returns the files of this part that depend on the declarations. Those of a referenced part are checked
 * there.
 */
function checkedFiles(program: ts.Program, part: AppPart): ts.SourceFile[] {
  const { skipLibCheck = false } = program.getCompilerOptions()
  return dependents(moduleGraph(program), part.declarations(program)).filter(
    (file) => !(skipLibCheck && file.isDeclarationFile) && !part.excludedFiles.has(file.fileName),
  )
}

function diagnosticsOf(program: ts.Program, file: ts.SourceFile): ts.DiagnosticWithLocation[] {
  return program.getSemanticDiagnostics(file).filter(isLocated)
}

function isLocated(diagnostic: ts.Diagnostic): diagnostic is ts.DiagnosticWithLocation {
  return diagnostic.file !== undefined && diagnostic.start !== undefined
}

function knownFailures(
  program: ts.Program,
  failing: readonly ts.DiagnosticWithLocation[],
): Set<string> {
  const paths = new Set(failing.map(({ file }) => file.fileName))
  const files = [...paths].flatMap((path) => program.getSourceFile(path) ?? [])
  return new Set(files.flatMap((file) => diagnosticsOf(program, file)).map(keyOf))
}

/** Identifies an error by position and code, without the message, which may quote a version. */
function keyOf({
  file,
  start,
  code,
}: Pick<ts.DiagnosticWithLocation, 'file' | 'start' | 'code'>): string {
  return `${file.fileName}:${start}:${code}`
}
