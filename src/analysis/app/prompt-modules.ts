import { ts } from './compiler.ts'
import { changesOtherTypes, filesOfSymbol, specifiersOf } from './module-graph.ts'
import type { PromptCode } from './prompt-code.ts'

/** More types than a module of an app exports. Types that expand without end stop here. */
const MAX_TYPES = 2000

interface SearchContext extends PromptCode {
  /** All files that can declare a type with a prompt. */
  readonly origins: ReadonlySet<ts.SourceFile>
  /** Types that are known not to lead to a prompt. */
  readonly plain: Set<ts.Type>
}

/**
 * Returns a predicate for files whose imports give them a prompt, or an object or function that leads
 * to one. The others, such as a component that renders the text of a service, have no expression
 * with the type of a prompt. Computing the types of all their expressions would take most of the time.
 */
export function createImportFilter(
  code: PromptCode,
  hasPrompts: (module: ts.Symbol) => boolean = createModuleFilter(code),
): (file: ts.SourceFile) => boolean {
  if (code.dependents.some(changesOtherTypes)) return () => true
  return (file) =>
    specifiersOf(file).some((specifier) => {
      const module = code.checker.getSymbolAtLocation(specifier)
      return module !== undefined && hasPrompts(module)
    })
}

/** Returns a predicate for modules that export a prompt, or an object or function that leads to one. */
export function createModuleFilter(code: PromptCode): (module: ts.Symbol) => boolean {
  const origins = new Set([...code.declarations, ...code.dependents])
  const context = { ...code, origins, plain: new Set<ts.Type>() }
  const answers = new Map<ts.Symbol, boolean>()
  return (module) => {
    const answer = answers.get(module) ?? exportsPrompts(module, context)
    answers.set(module, answer)
    return answer
  }
}

function exportsPrompts(module: ts.Symbol, context: SearchContext): boolean {
  const { checker, isPrompt, isNamespace, plain } = context
  if (!isDeclaredIn(context, module)) return false
  const exported = exportedTypes(module, checker)
  if (exported === undefined) return true
  const reached = new Set(exported)
  for (const type of reached) {
    if (isPrompt(type) || isNamespace(type)) return true
    const parts = partsOf(type, context)
    if (parts === undefined || reached.size > MAX_TYPES) return true
    for (const part of parts) if (!plain.has(part)) reached.add(part)
  }
  for (const type of reached) plain.add(type)
  return false
}

/** Returns the types of a module's exports, or `undefined` if these do not show all of them. */
function exportedTypes(module: ts.Symbol, checker: ts.TypeChecker): ts.Type[] | undefined {
  const symbols = checker
    .getExportsOfModule(module)
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    )
  const isOpen = symbols.some(({ flags }) => flags & ts.SymbolFlags.Module)
  if (isOpen || module.exports?.has(ts.InternalSymbolName.ExportEquals)) return undefined
  return symbols.flatMap((symbol) => [
    ...(symbol.flags & ts.SymbolFlags.Value ? [checker.getTypeOfSymbol(symbol)] : []),
    ...(symbol.flags & ts.SymbolFlags.Type ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
  ])
}

const UNDECIDED = ts.TypeFlags.Conditional | ts.TypeFlags.IndexedAccess | ts.TypeFlags.Substitution

/** Returns the types that a type consists of, or `undefined` if they depend on type parameters. */
function partsOf(type: ts.Type, context: SearchContext): readonly ts.Type[] | undefined {
  if (type.isUnionOrIntersection()) return type.types
  if (type.flags & ts.TypeFlags.Object) return partsOfObject(type as ts.ObjectType, context)
  if (type.flags & UNDECIDED) return undefined
  const bounds = type.isTypeParameter() ? [type.getConstraint(), type.getDefault()] : []
  return bounds.filter((bound) => bound !== undefined)
}

function partsOfObject(
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
