import type { Lock } from '../../core/prompt.ts'
import type { CompilerReports } from './app-configs.ts'
import type { AppPart } from './app.ts'
import { applyEdits, type CodeEdits, toOldPosition } from './code-edits.ts'
import type { ts } from './compiler.ts'
import type { PromptCode } from './prompt-code.ts'

/** The result of checking a part of the app with two versions of the declarations. */
export interface PartCheck {
  readonly code: PromptCode
  readonly files: readonly ts.SourceFile[]
  readonly reports: CompilerReports
  /** The errors with the new declarations that the current ones do not have. */
  readonly failures: readonly ts.DiagnosticWithLocation[]
}

/**
 * Type-checks the files that depend on the declarations with the new ones. Files with errors are checked
 * again with the current ones, and only new errors are returned. Most files are checked once.
 */
export function checkPart(
  part: AppPart,
  before: Lock | undefined,
  after: Lock,
  edits: CodeEdits,
): PartCheck {
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
  return {
    code,
    files,
    reports: part.config.reports,
    failures: failing.filter((failure) => !isOld(failure)),
  }
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
