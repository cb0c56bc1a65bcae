import { ts } from './compiler.ts'
import { dependents, filesOfSymbol, type ModuleGraph, moduleGraph } from './module-graph.ts'

/** The code of a part of an app, compiled with one version of the declarations. */
export interface PromptCode extends PromptTypes {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  /** The declarations of `virtual:prompts`, and those of generated folders. */
  readonly declarations: readonly ts.SourceFile[]
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

/** Finds the prompts of an expression by its type. */
interface PromptTypes {
  /** Returns the slugs of the prompts that a value of this type may be, including unions. */
  readonly slugsOf: (type: ts.Type) => readonly string[]
  readonly isPrompt: (type: ts.Type) => boolean
  /** Whether a type is the object with all prompts. */
  readonly isNamespace: (type: ts.Type) => boolean
  /** The number of names of that object. */
  readonly nameCount: number
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
  return { ...types, program, checker, declarations, graph, moduleId, ...lists }
}

/** Reads the types of prompts from the declarations of a program. */
function promptTypes(checker: ts.TypeChecker, declarations: readonly ts.SourceFile[]): PromptTypes {
  const namespaces = namespaceTypes(checker, declarations)
  const members = namespaces[0]?.getProperties() ?? []
  const [first] = members
  const prompt = first === undefined ? undefined : checker.getTypeOfSymbol(first).getSymbol()
  const [fields] = prompt === undefined ? [] : baseSymbols(checker, prompt)
  return {
    nameCount: members.length,
    slugsOf(type) {
      if (prompt === undefined) return []
      const parts = partsOf(type).filter((part) => part.getSymbol() === prompt)
      // The live and the staging version of a prompt have the same slug.
      return [...new Set(parts.flatMap((part) => slugOf(checker, part, declarations)))]
    },
    isPrompt: (type) =>
      partsOf(type).some((part) => {
        const symbol = part.getSymbol()
        if (fields === undefined || symbol === undefined) return false
        return baseSymbols(checker, symbol).includes(fields)
      }),
    isNamespace: (type) => partsOf(type).some((part) => namespaces.includes(part)),
  }
}

/** The interfaces that an interface extends: those of one prompt and of any prompt extend the same. */
function baseSymbols(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol[] {
  const declared = checker.getDeclaredTypeOfSymbol(symbol)
  if (!declared.isClassOrInterface()) return []
  return checker.getBaseTypes(declared).flatMap((type) => type.getSymbol() ?? [])
}

/** The types of `prompts` in the modules that the declarations declare, or are. */
function namespaceTypes(
  checker: ts.TypeChecker,
  declarations: readonly ts.SourceFile[],
): readonly ts.Type[] {
  const modules = declarations.flatMap((file) => checker.getSymbolAtLocation(file) ?? [])
  return [...checker.getAmbientModules(), ...modules]
    .filter((module) => filesOfSymbol(module).some((file) => declarations.includes(file)))
    .flatMap((module) => checker.getExportsOfModule(module))
    .filter(({ name }) => name === 'prompts')
    .map((prompts) => checker.getTypeOfSymbol(prompts))
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnionOrIntersection() ? type.types : [type]
}

/**
 * Returns the slugs in the contract of `Prompt<Contract>`; none of a contract that the declarations of
 * another workspace have, which may be of the same slug.
 */
function slugOf(
  checker: ts.TypeChecker,
  type: ts.Type,
  declarations: readonly ts.SourceFile[],
): string[] {
  const [contract] = checker.getTypeArguments(type as ts.TypeReference)
  const slug = contract?.getProperty('slug')
  const isForeign = filesOfSymbol(slug).some(
    (file) => file.isDeclarationFile && !declarations.includes(file),
  )
  if (slug === undefined || isForeign) return []
  return partsOf(checker.getTypeOfSymbol(slug)).flatMap((part) =>
    part.isStringLiteral() ? [part.value] : [],
  )
}
