import { slugsByName } from '../codegen/plan-module.ts'
import { type ChangeRow, changeRows, type UsedPrompt, usedPrompt } from '../core/change-row.ts'
import { compareLocks } from '../core/compare.ts'
import type { ImpactFinding } from '../core/impact.ts'
import type { Lock } from '../core/prompt.ts'
import { groupBySlug } from '../core/text/order.ts'
import { debug } from '../debug/debug.ts'
import { relativePath } from '../fs/paths.ts'
import type { App, AppPart } from './app.ts'
import {
  applyEdits,
  type CodeEdit,
  type CodeEdits,
  sortPlaces,
  toOldPosition,
  withCode,
} from './place.ts'
import { importersOfChanges } from './changed-files.ts'
import { ts } from './compiler.ts'
import { typedUses } from './find-uses.ts'
import { explainFailure, type FailureContext, reasonOf } from './explain-failure.ts'
import { joinNotChecked, type NotChecked, partNotChecked } from './not-checked.ts'

/** The code that a change of prompts breaks, or that was not checked. */
export interface ImpactReport {
  /** Sorted by file and position. */
  readonly findings: readonly ImpactFinding[]
  /** The number of files that were checked: those that the update can break. */
  readonly files: number
  /** The files that git ignores and that stop compiling, which are no findings. */
  readonly ignored: readonly string[]
  /** Files that import prompts, and were checked although no tsconfig of the app has them. None without a tsconfig. */
  readonly strays: readonly string[]
  /** The prompts that the code uses or may use. */
  readonly used: readonly UsedPrompt[]
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
  const notChecked = joinNotChecked(unknown, results)
  // Code that does not import staging sees its changes only if that is its view.
  const isTestView = parts.some((part) => part.environment === 'test')
  const readsStaging =
    results.some((result) => result.readsStaging) || notChecked.some(({ isStaging }) => isStaging)
  const findings = [
    ...results.flatMap((result) => result.findings),
    ...notChecked.flatMap((line) => {
      if (before === undefined) return [notCheckedFinding(line)]
      const seesAll = isTestView || (line.isStaging ?? readsStaging)
      const seen = rows.filter(({ environment }) => seesAll || environment === 'live')
      return notCheckedFindings(line, seen, removedNames)
    }),
  ]
  const uses = [...results.flatMap((result) => result.used), ...notChecked]
  const usesAll = uses.some(({ slugs: named }) => named.length === 0)
  const all = usesAll ? after.parts.map(({ slug }) => slug) : uses.flatMap((use) => use.slugs)
  const used = [...new Set(all)].map((slug) => {
    const own = uses.filter((use) => use.slugs.includes(slug))
    return usedPrompt(slug, own)
  })
  return {
    findings: withCode(
      sortPlaces(findings, ({ slug, message }) => JSON.stringify([slug, message])),
      root,
    ),
    files: new Set(results.flatMap(({ files }) => files)).size,
    ignored: [...new Set(results.flatMap(({ ignored }) => ignored))],
    strays: parts.every(({ isStray }) => isStray) ? [] : results.flatMap(({ strays }) => strays),
    used,
  }
}

interface ImpactContext extends Omit<FailureContext, 'code'> {
  /** The slugs by their old and new names in code. */
  readonly slugs: ReadonlyMap<string, string>
}

function partImpact(part: AppPart, update: Required<Update>, context: ImpactContext) {
  const { code, files, failures } = checkPart(part, update)
  const isIgnored = new Set(code.ignoredFiles)
  const own = files.filter((file) => !isIgnored.has(file))
  const findings = failures.filter(({ file }) => !isIgnored.has(file))
  const ignored = failures.filter(({ file }) => isIgnored.has(file))
  return {
    findings: findings.map((failure) => explainFailure(failure, { ...context, code })),
    files: own.map(({ fileName }) => fileName),
    ignored: ignored.map(({ file }) => relativePath(context.root, file.fileName)),
    strays: (part.isStray ? code.files : [])
      .filter(code.importsPrompts)
      .map(({ fileName }) => relativePath(context.root, fileName)),
    used: typedUses({ ...code, files: own }).map(({ node, slugs }) => {
      return { slugs, file: relativePath(context.root, node.getSourceFile().fileName) }
    }),
    notChecked: partNotChecked({ ...code, ...context }),
    readsStaging: code.ownFiles.some(({ text }) => STAGING.test(text)),
  }
}

/** An import of `virtual:prompts/staging`, or of that folder. */
const STAGING = /\/staging(?:\/[\w./]*)?["'`]/

/** Type-checks the files that the new declarations can break, and returns the new errors. */
function checkPart(part: AppPart, { before, after, edits }: Required<Update>) {
  const texts = new Map(
    [...edits].map(([path, own]) => [path, applyEdits(own[0]?.source.text ?? '', own)]),
  )
  const code = part.compile(after, texts)
  const old = part.compile(before, undefined, code.program).program
  const affected = importersOfChanges(code, old, texts)
  const files = [...code.files, ...code.ignoredFiles].filter((file) => affected.has(file))
  const failures = files.flatMap((file) => [
    ...(texts.has(file.fileName) ? code.program.getSyntacticDiagnostics(file) : []),
    ...newErrors(file, code.program, old, edits.get(file.fileName)),
  ])
  return { code, files, failures }
}

/**
 * Only statements with errors are checked with the former declarations, too. If an error is new there, the
 * whole file decides: some errors are found while another statement is checked.
 */
function newErrors(
  file: ts.SourceFile,
  program: ts.Program,
  old: ts.Program,
  edits: readonly CodeEdit[] | undefined,
): ts.DiagnosticWithLocation[] {
  const errors = errorsOf(file, program)
  const before = old.getSourceFile(file.fileName)
  if (before === undefined || errors.length === 0) return errors
  const positionOf = (error: ts.DiagnosticWithLocation): number => toOldPosition(edits, error.start)
  const without = (known: readonly ts.DiagnosticWithLocation[]): ts.DiagnosticWithLocation[] =>
    // The message may quote a version.
    errors.filter((error) =>
      known.every(({ start, code }) => start !== positionOf(error) || code !== error.code),
    )
  const statements = before.statements.filter(({ pos, end }) =>
    errors.some((error) => pos <= positionOf(error) && positionOf(error) < end),
  )
  const isNew = without(errorsOf(before, old, statements)).length > 0
  return isNew ? without(errorsOf(before, old)) : []
}

/** @param statements - to check only these, as TypeScript does for what an editor shows */
function errorsOf(
  file: ts.SourceFile,
  program: ts.Program,
  statements?: readonly ts.Statement[],
): ts.DiagnosticWithLocation[] {
  const check: (
    file: ts.SourceFile,
    cancellation?: undefined,
    nodes?: readonly ts.Node[],
  ) => readonly ts.Diagnostic[] = program.getSemanticDiagnostics
  return check(file, undefined, statements).filter(
    (failure): failure is ts.DiagnosticWithLocation => failure.start !== undefined,
  )
}

/** What a line that was not checked may need: a changed contract, or a name that is lost. */
function notCheckedFindings(
  line: NotChecked,
  rows: readonly ChangeRow[],
  removedNames: ReadonlyMap<string, string>,
): ImpactFinding[] {
  const mayUse = (slug: string): boolean => line.slugs.length === 0 || line.slugs.includes(slug)
  const contracts = rows.filter((row) => row.class === 'contract' && mayUse(row.slug))
  const changed = new Set(contracts.map(({ slug }) => slug))
  const renamed = [...new Set(removedNames.values())]
  return [
    ...contracts.map((row) => {
      const cause =
        reasonOf({ message: '', change: row }) || `the contract of \`${row.slug}\` changed`
      return notCheckedFinding(line, { ...row, cause })
    }),
    ...renamed
      .filter((slug) => mayUse(slug) && !changed.has(slug))
      .map((slug) =>
        notCheckedFinding(line, { slug, environment: null, cause: `\`${slug}\` loses a name` }),
      ),
  ]
}

/** @param update - what the line may need. Default: there is no update */
function notCheckedFinding(
  { file, line, column, slugs: [first, ...others], reason: why }: NotChecked,
  update?: Pick<ImpactFinding, 'slug' | 'environment'> & { readonly cause: string },
): ImpactFinding {
  const { slug, environment } = update ?? {
    slug: others.length > 0 ? null : (first ?? null),
    environment: null,
  }
  const reason = `${update ? `${update.cause}; ` : ''}not checked: ${why}`
  return { file, line, column, slug, environment, reason, kind: 'not-checked', message: reason }
}
