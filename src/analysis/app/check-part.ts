import type { AppPart } from './app.ts'
import { ts } from './compiler.ts'
import { dependents, moduleGraph } from './module-graph.ts'

/** What a part of the app says to two versions of the declarations. */
export interface PartCheck {
  /** The part with the incoming declarations. */
  readonly program: ts.Program
  /** What fails with the incoming declarations and not with today's. */
  readonly failures: readonly ts.DiagnosticWithLocation[]
  /** How many files depend on the declarations. */
  readonly files: number
}

/**
 * Type-checks what depends on the declarations with the incoming ones; where something fails, the
 * same file with today's ones, so that only what is new is left. Most files are checked once.
 */
export function checkPart(part: AppPart, before: string, after: string): PartCheck {
  const program = part.program(after)
  const files = checkedFiles(program, part)
  const failing = files.flatMap((file) => diagnosticsOf(program, file))
  if (failing.length === 0) return { program, failures: [], files: files.length }
  const old = knownFailures(part.program(before, program), failing)
  const failures = failing.filter((failure) => !old.has(keyOf(failure)))
  return { program, failures, files: files.length }
}

/** The files of this part that could fail: those of a referenced part are checked there. */
function checkedFiles(
  program: ts.Program,
  { declarationsPath, excludedFiles }: AppPart,
): ts.SourceFile[] {
  const declarations = program.getSourceFile(declarationsPath)
  if (declarations === undefined) return []
  const { skipLibCheck = false } = program.getCompilerOptions()
  return dependents(moduleGraph(program), declarations).filter(
    (file) => !(skipLibCheck && file.isDeclarationFile) && !excludedFiles.has(file.fileName),
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

/** Where and what kind; not the message, which may quote a version. */
function keyOf({ file, start, code }: ts.DiagnosticWithLocation): string {
  return `${file.fileName}:${start}:${code}`
}
