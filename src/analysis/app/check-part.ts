import type { ModulePlan } from '../../codegen/plan-module.ts'
import type { AppPart } from './app.ts'
import type { Overlay } from './compiler-host.ts'
import { ts } from './compiler.ts'
import { dependents, moduleGraph } from './module-graph.ts'

/** The result of checking a part of the app with two versions of the declarations. */
export interface PartCheck {
  readonly program: ts.Program
  /** The errors with the new declarations that the current ones do not have. */
  readonly failures: readonly ts.DiagnosticWithLocation[]
  /** The errors that both have. */
  readonly oldFailures: readonly ts.DiagnosticWithLocation[]
  /** The files that depend on the declarations. */
  readonly files: readonly ts.SourceFile[]
}

/** Code that is edited together with the declarations. */
export interface EditedCode {
  /** The new texts, by the name that the compiler uses for a file. */
  readonly texts: Overlay
  /** The position in the old text of a position in the new one. */
  readonly toOldPosition: (path: string, position: number) => number
  /** The same as a line and column, counted from 1; `undefined` if the file is not edited. */
  readonly toOldPlace: (
    path: string,
    position: number,
  ) => { readonly line: number; readonly column: number } | undefined
}

/** Code as it is on disk. */
export const UNEDITED: EditedCode = {
  texts: new Map(),
  toOldPosition: (_, position) => position,
  toOldPlace: () => undefined,
}

/**
 * Type-checks the files that depend on the declarations with the new ones. Files with errors are checked
 * again with the current ones, and only new errors are returned. Most files are checked once.
 */
export function checkPart(
  part: AppPart,
  before: ModulePlan,
  after: ModulePlan,
  { texts, toOldPosition }: EditedCode,
): PartCheck {
  const program = part.program(after, undefined, texts)
  const files = checkedFiles(program, part)
  const failing = files.flatMap((file) => [
    ...(texts.has(file.fileName) ? program.getSyntacticDiagnostics(file) : []),
    ...diagnosticsOf(program, file),
  ])
  if (failing.length === 0) return { program, failures: [], oldFailures: [], files }
  const old = knownFailures(part.program(before, program), failing)
  const isOld = ({ file, start, code }: ts.DiagnosticWithLocation): boolean =>
    old.has(keyOf({ file, code, start: toOldPosition(file.fileName, start) }))
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
