import { ts } from './compiler.ts'

/** One import of a file: static or dynamic, of values or of types. */
interface ImportEdge {
  readonly from: ts.SourceFile
  readonly to: ts.SourceFile
}

export interface ModuleGraph {
  readonly files: readonly ts.SourceFile[]
  readonly importers: ReadonlyMap<ts.SourceFile, readonly ImportEdge[]>
}

/** Creates the import graph of a program, without packages and TypeScript's own files. */
export function moduleGraph(program: ts.Program): ModuleGraph {
  const checker = program.getTypeChecker()
  const options = program.getCompilerOptions()
  const files = program.getSourceFiles().filter(({ fileName }) => !isInstalled(fileName, options))
  const edges = files.flatMap((from) => edgesOf(from, checker))
  const importers = new Map<ts.SourceFile, ImportEdge[]>(edges.map(({ to }) => [to, []]))
  for (const edge of edges) importers.get(edge.to)?.push(edge)
  return { files, importers }
}

/**
 * Whether a file is that of an installed package, or TypeScript's own. What a link in node_modules leads to, as in
 * monorepos, is code of the app: TypeScript's own answer is about the way to a file.
 *
 * @param path - as TypeScript resolves it, which follows links unless an option says otherwise
 */
export function isInstalled(path: string, { preserveSymlinks }: ts.CompilerOptions): boolean {
  const target = preserveSymlinks ? ts.sys.realpath?.(path) : path
  return (target ?? path).includes('/node_modules/')
}

function edgesOf(from: ts.SourceFile, checker: ts.TypeChecker): ImportEdge[] {
  return specifiersOf(from).flatMap((specifier) =>
    filesOfSymbol(checker.getSymbolAtLocation(specifier)).map((to) => ({ from, to })),
  )
}

/**
 * Returns the specifiers in a file: static and dynamic imports, `require` in JavaScript, import types. The
 * list is internal to TypeScript; ts-morph uses it too.
 */
export function specifiersOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  const { imports = [] } = file as { readonly imports?: readonly ts.StringLiteralLike[] }
  return imports
}

/** What an import or a re-export stands for. */
export function resolveAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

export function filesOfSymbol(symbol: ts.Symbol | undefined): ts.SourceFile[] {
  return symbol?.declarations?.map((node) => node.getSourceFile()) ?? []
}

/**
 * Returns the files whose types may depend on the declarations: those that import them, directly or
 * indirectly. If one of these changes types of other files, all files of the app.
 */
export function dependents(
  graph: ModuleGraph,
  declarations: readonly ts.SourceFile[],
): ts.SourceFile[] {
  const reached = declarations.flatMap((file) => [...withImporters(graph, file)])
  const others = [...new Set(reached)].filter((file) => !declarations.includes(file))
  return others.some(changesOtherTypes)
    ? graph.files.filter((file) => !declarations.includes(file))
    : others
}

/** A file and all files that import it, directly or through others. */
export function withImporters(graph: ModuleGraph, file: ts.SourceFile): Set<ts.SourceFile> {
  const reached = new Set([file])
  // The iteration includes files that are added during it.
  for (const next of reached)
    for (const { from } of graph.importers.get(next) ?? []) reached.add(from)
  return reached
}

/** Whether a file declares global types, or adds to those of other modules. */
export function changesOtherTypes(file: ts.SourceFile): boolean {
  return !ts.isExternalModule(file) || file.statements.some(isAugmentation)
}

function isAugmentation(statement: ts.Statement): boolean {
  if (!ts.isModuleDeclaration(statement)) return false
  const isGlobal = (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0
  return isGlobal || ts.isStringLiteral(statement.name)
}
