/**
 * Which files an update can break. A file passes a change on only by what it declares for others, so a change
 * ends where a file's emitted declaration is the same and names nothing that changed.
 */
import { ts } from './compiler.ts'
import { resolveModule } from './components.ts'
import { changesOtherTypes } from './module-graph.ts'
import { nodesBelow } from './place.ts'
import { type PromptCode, remember } from './prompt-code.ts'

/**
 * Returns the importers of what is changed: the declarations, edited files, and each importer whose emitted
 * declaration differs, names something changed, or can't be emitted. If one of these changes types of other
 * files, all files.
 *
 * @param old - the program with the former declarations and code
 * @param edited - paths of edited files
 */
export function importersOfChanges(
  { declarations, graph, program }: PromptCode,
  old: ts.Program,
  edited: ReadonlyMap<string, unknown>,
): ReadonlySet<ts.SourceFile> {
  const changed = new Set(declarations)
  const importers = new Set(graph.files.filter(({ fileName }) => edited.has(fileName)))
  const typesOf = remember((file: ts.SourceFile) => sameTypes(file, program, old))
  const visit = (file: ts.SourceFile): void => {
    importers.add(file)
    if (changed.has(file)) return
    const types = typesOf(file)
    if (types === undefined || namesChanged(types, file, program, changed)) changed.add(file)
  }
  for (const file of importers) visit(file)
  // The iteration includes files that are added during it.
  for (const file of changed) for (const { from } of graph.importers.get(file) ?? []) visit(from)
  const isAnywhere = [...changed].some(
    (file) => !declarations.includes(file) && changesOtherTypes(file),
  )
  return isAnywhere ? new Set(graph.files) : importers
}

/** The emitted declaration of a file; `undefined` if it differs from the old one, or can't be emitted. */
function sameTypes(file: ts.SourceFile, program: ts.Program, old: ts.Program): string | undefined {
  const types = emitTypes(file, program)
  const before = old.getSourceFile(file.fileName)
  return before && types === emitTypes(before, old) ? types : undefined
}

/** Internal; of JavaScript only. */
interface CommonJsFields extends ts.SourceFile {
  readonly commonJsModuleIndicator?: ts.Node
}

/** Emits as TypeScript does for its incremental builds: whatever the options are, without a check of the file. */
type EmitTypes = (
  file: ts.SourceFile,
  write: ts.WriteFileCallback,
  ...rest: readonly [undefined, isTypesOnly: true, undefined, isForced: true]
) => ts.EmitResult

/** @returns `undefined` if nothing is emitted, or with an error, such as for a type without a name outside of its file */
function emitTypes(file: ts.SourceFile, program: ts.Program): string | undefined {
  if (file.isDeclarationFile) return file.text
  // Of `exports.triage = prompts.triage`, TypeScript emits the names without the type.
  if ((file as CommonJsFields).commonJsModuleIndicator !== undefined) return undefined
  const types: string[] = []
  const emit: EmitTypes = program.emit
  const write: ts.WriteFileCallback = (_, text) => void types.push(text)
  try {
    const { diagnostics } = emit(file, write, undefined, true, undefined, true)
    if (types.length === 0 || diagnostics.length > 0) return undefined
    return [...types, ...privateTypes(file, program)].join('\n')
  } catch {
    // TypeScript recurses without end on some JavaScript: `var self = module.exports = { a() { return self } }`.
    return undefined
  }
}

/** The types of private members, which are not in emitted declarations: `object['member']` reads them. */
function privateTypes(file: ts.SourceFile, program: ts.Program): string[] {
  const checker = program.getTypeChecker()
  const { NoTruncation, UseFullyQualifiedType } = ts.TypeFormatFlags
  return nodesBelow(file)
    .filter(
      (node) => ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Private,
    )
    .map((node) => checker.getTypeAtLocation(node))
    .map((type) => checker.typeToString(type, undefined, NoTruncation | UseFullyQualifiedType))
}

/** Whether an emitted declaration imports a changed file, or one that is not known. */
function namesChanged(
  types: string,
  { fileName, impliedNodeFormat: mode }: ts.SourceFile,
  program: ts.Program,
  changed: ReadonlySet<ts.SourceFile>,
): boolean {
  const options = program.getCompilerOptions()
  const isFile = (path: string): boolean =>
    program.getSourceFile(path) !== undefined || ts.sys.fileExists(path)
  const host = { ...ts.sys, fileExists: isFile }
  return ts.preProcessFile(types, true, true).importedFiles.some(({ fileName: name }) => {
    const result = resolveModule(name, fileName, options, host, undefined, undefined, mode)
    const path = result.resolvedModule?.resolvedFileName
    const file = path === undefined ? undefined : program.getSourceFile(path)
    return file === undefined || changed.has(file)
  })
}
