import { slugsByName } from '../../codegen/plan-module.ts'
import { changeRows, type ComparedRow } from '../../core/change-row.ts'
import { compareLocks, promptVariables } from '../../core/compare.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { groupBySlug } from '../../core/text/order.ts'
import { debug } from '../../debug/debug.ts'
import type { App, AppPart } from './app.ts'
import { applyEdits, type CodeEdits, toOldPosition } from './code-edits.ts'
import type { ts } from './compiler.ts'
import { explainFailure, explainUnproven, type FailureContext } from './explain-failure.ts'
import { joinUses, partUses, type UnprovenUse } from './find-uses.ts'
import { sortPlaces, withCode } from './place.ts'

/** The code that a change of prompts breaks, or of which that is not known. */
export interface ImpactReport {
  /** Sorted by file and position. */
  readonly findings: readonly ImpactFinding[]
  /** The number of files that depend on prompts, all of which were checked. */
  readonly files: number
  /** The slugs of the prompts that the code uses or may use. */
  readonly used: readonly string[]
}

interface Update {
  /** The lock that the app uses now; `undefined` to find the errors that go away if every prompt is `any`. */
  readonly before: Lock | undefined
  readonly after: Lock
  /** Edits of the code, together with the prompts. Findings are places in the old code. Default: none. */
  readonly edits?: CodeEdits
}

/**
 * Type-checks an app with new declarations in memory and returns the new errors. Several updates of one app
 * can be analysed; its files are read and parsed once.
 */
export function analyseImpact(
  { root, parts, unknown }: App,
  { before, after, edits = new Map() }: Update,
): ImpactReport {
  debug('analysis', () => `type check of ${root}`)
  const rows = changeRows(compareLocks(before ?? { parts: [] }, after))
  const [oldSlugs, newSlugs] = [slugsByName(before), slugsByName(after)]
  // Those that a prompt has in neither view any longer.
  const removedNames = new Map([...oldSlugs].filter(([name]) => !newSlugs.has(name)))
  const slugs = new Map([...oldSlugs, ...newSlugs])
  const context = { root, edits, slugs, removedNames, changes: groupBySlug(rows) }
  const results = parts.map((part) => partImpact(part, { before, after, edits }, context))
  const unproven = joinUses(
    unknown,
    results.map(({ untyped }) => untyped),
  )
  // Code that does not import staging sees its changes only if that is its view.
  const readsStaging = results.some((result) => result.readsStaging)
  const seen = rows.filter(({ environment }) => readsStaging || environment === 'live')
  const findings = [
    ...results.flatMap((result) => result.findings),
    ...(before ? unproven.flatMap((use) => unprovenFindings(use, seen, removedNames)) : []),
  ]
  const used = [...results.flatMap((result) => result.used), ...unproven.map((use) => use.slugs)]
  const usesAll = used.some((use) => use.length === 0)
  return {
    findings: withCode(
      sortPlaces(findings, ({ slug, message }) => JSON.stringify([slug, message])),
      root,
    ),
    files: new Set(results.flatMap(({ files }) => files)).size,
    used: usesAll ? after.parts.map(({ slug }) => slug) : [...new Set(used.flat())],
  }
}

interface ImpactContext extends Omit<FailureContext, 'code' | 'reports'> {
  /** The slugs by their old and new names in code. */
  readonly slugs: ReadonlyMap<string, string>
}

function partImpact(part: AppPart, update: Required<Update>, context: ImpactContext) {
  const { code, files, failures } = checkPart(part, update)
  const { reports } = part.config
  const untyped = partUses({ ...code, ...context })
  return {
    findings: failures.map((failure) => explainFailure(failure, { ...context, code, reports })),
    files: files.map(({ fileName }) => fileName),
    used: untyped.usages.flatMap(({ uses }) => uses.map((use) => use.slugs)),
    untyped,
    readsStaging:
      (part.environment ?? update.after.environment) === 'test' ||
      code.ownFiles.some(({ text }) => STAGING.test(text)),
  }
}

/** An import of `virtual:prompts/staging`, or of that folder. */
const STAGING = /\/staging(?:\/[\w./]*)?["'`]/

/**
 * Type-checks the files that depend on the declarations with the new ones. Files with errors are checked
 * again with the current ones, and only new errors are returned. Most files are checked once.
 */
function checkPart(part: AppPart, { before, after, edits }: Required<Update>) {
  const texts = new Map(
    [...edits].map(([path, own]) => [path, applyEdits(own[0]?.source.text ?? '', own)]),
  )
  const code = part.compile(after, texts)
  const { program } = code
  const { skipLibCheck = false } = program.getCompilerOptions()
  const files = code.files.filter((file) => !(skipLibCheck && file.isDeclarationFile))
  const failing = files.flatMap((file) => [
    ...(texts.has(file.fileName) ? program.getSyntacticDiagnostics(file) : []),
    ...diagnosticsOf(program, file),
  ])
  const old =
    failing.length === 0
      ? new Set()
      : knownFailures(part.compile(before, undefined, program).program, failing)
  const isOld = ({ file, start, code: number }: ts.DiagnosticWithLocation): boolean =>
    old.has(keyOf(file, toOldPosition(edits.get(file.fileName), start), number))
  return { code, files, failures: failing.filter((failure) => !isOld(failure)) }
}

function diagnosticsOf(program: ts.Program, file: ts.SourceFile): ts.DiagnosticWithLocation[] {
  return program
    .getSemanticDiagnostics(file)
    .filter((failure): failure is ts.DiagnosticWithLocation => failure.start !== undefined)
}

function knownFailures(
  program: ts.Program,
  failing: readonly ts.DiagnosticWithLocation[],
): Set<string> {
  const paths = new Set(failing.map(({ file }) => file.fileName))
  const files = [...paths].flatMap((path) => program.getSourceFile(path) ?? [])
  const failures = files.flatMap((file) => diagnosticsOf(program, file))
  return new Set(failures.map(({ file, start, code }) => keyOf(file, start, code)))
}

/** Identifies an error by position and code, without the message, which may quote a version. */
function keyOf(file: ts.SourceFile, start: number, code: number): string {
  return `${file.fileName}:${start}:${code}`
}

/** What an unproven use may need of the prompts whose contract changes, or that lose their name. */
function unprovenFindings(
  use: UnprovenUse,
  rows: readonly ComparedRow[],
  removedNames: ReadonlyMap<string, string>,
): ImpactFinding[] {
  const mayUse = (slug: string): boolean => use.slugs.length === 0 || use.slugs.includes(slug)
  const contracts = rows.filter((row) => row.class === 'contract' && mayUse(row.slug))
  const changed = new Set(contracts.map(({ slug }) => slug))
  const renamed = new Set(removedNames.values())
  return [
    ...contracts
      .filter((row) => !hasVariables(use, row))
      .map((row) => explainUnproven(use, row.slug, row)),
    ...[...renamed]
      .filter((slug) => mayUse(slug) && !changed.has(slug))
      .map((slug) => explainUnproven(use, slug, undefined)),
  ]
}

/** Whether a literal has exactly the variables of the new version. */
function hasVariables({ variables }: UnprovenUse, { change: { after } }: ComparedRow): boolean {
  if (variables === undefined || !after) return false
  const needed = promptVariables(after)
  return needed.length === variables.length && needed.every((name) => variables.includes(name))
}
