import { ts } from './compiler.ts'
import {
  changesOtherTypes,
  dependents,
  filesOfSymbol,
  type ModuleGraph,
  moduleGraph,
  resolveAlias,
  specifiersOf,
} from './module-graph.ts'

/** The code of a part of an app, compiled with one version of the declarations. */
export interface PromptCode extends PromptTypes {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  /** The declarations of `virtual:prompts`, and those of generated folders, as far as code imports them. */
  readonly declarations: readonly ts.SourceFile[]
  /** The paths of all of them. */
  readonly declarationPaths: readonly string[]
  readonly graph: ModuleGraph
  /** The own files that import prompts, directly or through others. */
  readonly files: readonly ts.SourceFile[]
  /** The same of those that git ignores: they are compiled, and are no findings. */
  readonly ignoredFiles: readonly ts.SourceFile[]
  /** The own files of this part, whether they depend on prompts or not. */
  readonly ownFiles: readonly ts.SourceFile[]
  /** The module that apps import: `virtual:prompts`. */
  readonly moduleId: string
  /** Whether a module exports a prompt, or an object or function that leads to one. */
  readonly hasPrompts: (module: ts.Symbol) => boolean
  /**
   * Whether the imports of a file give it a prompt, or an object or function that leads to one. The others, such as
   * a component that renders the text of a service, have no expression with the type of a prompt. Computing
   * the types of all their expressions would take most of the time.
   */
  readonly importsPrompts: (file: ts.SourceFile) => boolean
  /** Whether a value leads to a prompt: as a member, an element or a result. */
  readonly leadsToPrompts: (type: ts.Type) => boolean
}

/** Finds the prompts of an expression by its type. */
interface PromptTypes {
  /** Returns the slugs of the prompts that a value of this type may be, including unions. */
  readonly slugsOf: (type: ts.Type) => readonly string[]
  readonly isPrompt: (type: ts.Type) => boolean
  /** Whether a type is the object with all prompts. */
  readonly isNamespace: (type: ts.Type) => boolean
  /** The names of that object. */
  readonly names: ReadonlySet<string>
}

/** Which files of a program are own ones: no other part has them, and they can be findings. */
export interface Ownership {
  readonly isOwn: (path: string) => boolean
  readonly isIgnored: (path: string) => boolean
}

export function promptCode(
  program: ts.Program,
  declarationPaths: readonly string[],
  { isOwn, isIgnored }: Ownership,
  moduleId: string,
): PromptCode {
  const declarations = declarationPaths.flatMap((path) => program.getSourceFile(path) ?? [])
  const checker = program.getTypeChecker()
  const graph = moduleGraph(program)
  const types = promptTypes(checker, declarations)
  const all = dependents(graph, declarations)
  const { skipLibCheck } = program.getCompilerOptions()
  const own = new Set(
    graph.files
      .filter((file) => !(file.isDeclarationFile && skipLibCheck))
      .filter((file) => isOwn(file.fileName) && !declarations.includes(file)),
  )
  const origins = new Set([...declarations, ...all])
  const context = { ...types, checker, declarations, origins, plain: new Set<ts.Type>() }
  const hasPrompts = remember((module: ts.Symbol) => exportsPrompts(module, context))
  const isAnywhere = all.some(changesOtherTypes)
  const importsPrompts = (file: ts.SourceFile): boolean =>
    isAnywhere ||
    specifiersOf(file).some((specifier) => {
      const module = checker.getSymbolAtLocation(specifier)
      return module !== undefined && hasPrompts(module)
    })
  const dependent = all.filter((file) => own.has(file))
  return {
    ...types,
    program,
    checker,
    declarations,
    declarationPaths,
    graph,
    files: dependent.filter(({ fileName }) => !isIgnored(fileName)),
    ignoredFiles: dependent.filter(({ fileName }) => isIgnored(fileName)),
    ownFiles: [...own].filter(({ fileName }) => !isIgnored(fileName)),
    moduleId,
    hasPrompts,
    importsPrompts,
    leadsToPrompts: remember((type: ts.Type) => leadToPrompts([type], context, false)),
  }
}

/** Markup may name a value often, and to follow its types may take 10 ms. */
export function remember<Input, Answer>(find: (input: Input) => Answer): (input: Input) => Answer {
  const answers = new Map<Input, Answer>()
  return (input) => {
    if (!answers.has(input)) answers.set(input, find(input))
    return answers.get(input) as Answer
  }
}

/** Reads the types of prompts from the declarations of a program. */
function promptTypes(checker: ts.TypeChecker, declarations: readonly ts.SourceFile[]): PromptTypes {
  const namespaces = namespaceTypes(checker, declarations)
  const members = namespaces[0]?.getProperties() ?? []
  const [first] = members
  const prompt = first === undefined ? undefined : checker.getTypeOfSymbol(first).getSymbol()
  const [fields] = prompt === undefined ? [] : baseSymbols(checker, prompt)
  return {
    names: new Set(members.map(({ name }) => name)),
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

/** More types than a module of an app exports. Types that expand without end stop here. */
const MAX_TYPES = 2000

interface SearchContext extends PromptTypes {
  readonly checker: ts.TypeChecker
  readonly declarations: readonly ts.SourceFile[]
  /** All files that can declare a type with a prompt. */
  readonly origins: ReadonlySet<ts.SourceFile>
  /** Types that are known not to lead to a prompt. */
  readonly plain: Set<ts.Type>
}

function exportsPrompts(module: ts.Symbol, context: SearchContext): boolean {
  if (!isDeclaredIn(context, module)) return false
  const exported = exportedTypes(module, context.checker)
  return exported === undefined || leadToPrompts(exported, context, true)
}

/** @param unknown - the answer for types that depend on type parameters */
function leadToPrompts(
  types: readonly ts.Type[],
  context: SearchContext,
  unknown: boolean,
): boolean {
  const reached = new Set<ts.Type>()
  let isSure = true
  for (const type of typesBehind(types, context)) {
    if (type === 'unknown' ? unknown : isOfPrompts(type, context)) return true
    if (type === 'unknown') isSure = false
    else reached.add(type)
  }
  for (const type of isSure ? reached : []) context.plain.add(type)
  return false
}

/** Whether a type is a prompt, the object with all prompts, the values of a prompt, or names of prompts. */
function isOfPrompts(
  type: ts.Type,
  { isPrompt, isNamespace, names, declarations }: SearchContext,
): boolean {
  if (isPrompt(type) || isNamespace(type)) return true
  if (type.isUnion())
    return type.types.every((part) => part.isStringLiteral() && names.has(part.value))
  // Objects that are made of the values of a prompt, such as by `Partial`, have their properties.
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    type
      .getProperties()
      .some((property) => filesOfSymbol(property).some((file) => declarations.includes(file)))
  )
}

/** The types that types lead to, themselves included; `unknown` where they depend on type parameters. */
function* typesBehind(
  types: readonly ts.Type[],
  context: SearchContext,
): Generator<ts.Type | 'unknown'> {
  const reached = new Set(types)
  for (const type of reached) {
    yield type
    const parts = reached.size > MAX_TYPES ? undefined : typesIn(type, context)
    if (parts === undefined) yield 'unknown'
    for (const part of parts ?? []) if (!context.plain.has(part)) reached.add(part)
  }
}

/** Returns the types of a module's exports, or `undefined` if these do not show all of them. */
function exportedTypes(module: ts.Symbol, checker: ts.TypeChecker): ts.Type[] | undefined {
  const symbols = checker.getExportsOfModule(module).map((symbol) => resolveAlias(symbol, checker))
  const isOpen = symbols.some(({ flags }) => flags & ts.SymbolFlags.Module)
  if (isOpen || module.exports?.has(ts.InternalSymbolName.ExportEquals)) return undefined
  return symbols.flatMap((symbol) => [
    ...(symbol.flags & ts.SymbolFlags.Value ? [checker.getTypeOfSymbol(symbol)] : []),
    ...(symbol.flags & ts.SymbolFlags.Type ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
  ])
}

const UNDECIDED = ts.TypeFlags.Conditional | ts.TypeFlags.IndexedAccess | ts.TypeFlags.Substitution

/** Returns the types that a type consists of, or `undefined` if they depend on type parameters. */
function typesIn(type: ts.Type, context: SearchContext): readonly ts.Type[] | undefined {
  if (type.isUnionOrIntersection()) return type.types
  if (type.flags & ts.TypeFlags.Object) return typesInObject(type as ts.ObjectType, context)
  if (type.flags & UNDECIDED) return undefined
  const bounds = type.isTypeParameter() ? [type.getConstraint(), type.getDefault()] : []
  return bounds.filter((bound) => bound !== undefined)
}

function typesInObject(
  type: ts.ObjectType,
  context: SearchContext,
): readonly ts.Type[] | undefined {
  const { checker } = context
  const isReference = (type.objectFlags & ts.ObjectFlags.Reference) !== 0
  const typeArguments = isReference ? checker.getTypeArguments(type as ts.TypeReference) : []
  if ((isReference || type.isClassOrInterface()) && !isDeclaredIn(context, type.getSymbol()))
    return typeArguments
  const members = membersOf(type, checker)
  const isMapped = (type.objectFlags & ts.ObjectFlags.Mapped) !== 0
  return isMapped && members.length === 0 ? undefined : [...typeArguments, ...members]
}

function isDeclaredIn({ origins }: SearchContext, symbol: ts.Symbol | undefined): boolean {
  return filesOfSymbol(symbol).some((file) => origins.has(file))
}

function membersOf(type: ts.ObjectType, checker: ts.TypeChecker): ts.Type[] {
  const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()]
  return [
    ...type.getProperties().map((property) => checker.getTypeOfSymbol(property)),
    ...checker.getIndexInfosOfType(type).map((info) => info.type),
    ...signatures.flatMap((signature) => [
      signature.getReturnType(),
      ...signature.getParameters().map((parameter) => checker.getTypeOfSymbol(parameter)),
    ]),
  ]
}
