import { ts } from './compiler.ts'
import { dependents, type ModuleGraph, moduleGraph } from './module-graph.ts'
import { type PromptTypes, promptTypes } from './prompt-types.ts'

/** The code of a part of an app, compiled with one version of the declarations. */
export interface PromptCode {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  /** The declarations of `virtual:prompts`, and those of generated folders. */
  readonly declarations: readonly ts.SourceFile[]
  readonly types: PromptTypes
  readonly graph: ModuleGraph
  /** The files that import prompts, directly or through others. */
  readonly dependents: readonly ts.SourceFile[]
  /** Those that no other part has. */
  readonly files: readonly ts.SourceFile[]
  /** The files of the app that no other part has, whether they depend on prompts or not. */
  readonly ownFiles: readonly ts.SourceFile[]
  /** The module that apps import: `virtual:prompts`. */
  readonly moduleId: string
}

export function promptCode(
  program: ts.Program,
  declarations: readonly ts.SourceFile[],
  excludedFiles: ReadonlySet<string>,
  moduleId: string,
): PromptCode {
  const checker = program.getTypeChecker()
  const graph = moduleGraph(program)
  const types = promptTypes(checker, declarations)
  const all = dependents(graph, declarations)
  const isOwn = ({ fileName }: ts.SourceFile): boolean => !excludedFiles.has(fileName)
  const ownFiles = graph.files.filter((file) => !file.isDeclarationFile && isOwn(file))
  const lists = { dependents: all, files: all.filter(isOwn), ownFiles }
  return { program, checker, declarations, types, graph, moduleId, ...lists }
}
