import type { ChangeRow } from '../../core/change-row.ts'
import { namesOf } from '../impact-reason.ts'
import { ts } from './compiler.ts'
import type { PromptTypes } from './prompt-types.ts'

/** A value that may lack a variable which its prompt now needs, though the code compiles. */
export interface UnclearValue {
  readonly node: ts.Node
  readonly slug: string
}

interface UnclearCode {
  readonly program: ts.Program
  readonly types: PromptTypes
  readonly declarations: readonly ts.SourceFile[]
  readonly files: readonly ts.SourceFile[]
  readonly changes: ReadonlyMap<string, ChangeRow>
  /** New errors of the app. */
  readonly failures: readonly ts.DiagnosticWithLocation[]
  /** Errors of the app that the change does not cause. */
  readonly oldFailures: readonly ts.DiagnosticWithLocation[]
}

interface Search extends UnclearCode {
  readonly checker: ts.TypeChecker
  /** The variables that are new, by slug. */
  readonly added: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds the values of changed prompts that get their type without a check: from `any`, assertions, type
 * arguments, type guards, functions without a type, and where errors are suppressed.
 */
export function findUnclearValues(code: UnclearCode): UnclearValue[] {
  const added = new Map(
    [...code.changes].flatMap(([slug, { effects }]) => {
      const names = effects.flatMap((effect) =>
        effect.kind === 'variable-added' || effect.kind === 'variable-renamed'
          ? namesOf(effect).slice(-1)
          : [],
      )
      return names.length > 0 ? [[slug, names] as const] : []
    }),
  )
  if (added.size === 0) return []
  const search = { ...code, added, checker: code.program.getTypeChecker() }
  return code.files.flatMap((file) => {
    const places = new Map<string, UnclearValue>()
    const visit = (node: ts.Node): void => {
      for (const slug of unclearSlugs(node, search)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
        const key = JSON.stringify([line, slug])
        if (!places.has(key)) places.set(key, { node, slug })
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
    return [...places.values()]
  })
}

function unclearSlugs(node: ts.Node, search: Search): string[] {
  const { checker } = search
  const asserted = assertedType(node)
  if (asserted !== undefined && ts.isExpression(node)) {
    const value = checker.getTypeAtLocation(asserted.value)
    const type = checker.getTypeFromTypeNode(asserted.type)
    if (isUntyped(type)) return untypedSlugs(value, search)
    const isChecked = !isAny(value, checker) && checker.isTypeAssignableTo(value, type)
    return isChecked ? [] : slugsIn(type, search)
  }
  if (ts.isTypePredicateNode(node) && node.type !== undefined)
    return slugsIn(checker.getTypeFromTypeNode(node.type), search)
  if (isCall(node)) {
    const slugs = slugsOfCall(node, search)
    if (slugs.length > 0) return slugs
  }
  return ts.isExpression(node) && !assertedType(node.parent) ? slugsOfFlow(node, search) : []
}

/** The type that an assertion gives a value, also in a comment in JavaScript. */
function assertedType(
  node: ts.Node,
): { readonly value: ts.Expression; readonly type: ts.TypeNode } | undefined {
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node))
    return ts.isConstTypeReference(node.type)
      ? undefined
      : { value: node.expression, type: node.type }
  const type = ts.isParenthesizedExpression(node) ? ts.getJSDocType(node) : undefined
  return type && ts.isParenthesizedExpression(node) ? { value: node.expression, type } : undefined
}

type Call = ts.CallExpression | ts.NewExpression | ts.TaggedTemplateExpression

function isCall(node: ts.Node): node is Call {
  return (
    ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)
  )
}

/** The prompts whose values a call returns by a type argument, or takes where errors are suppressed. */
function slugsOfCall(call: Call, search: Search): string[] {
  const { checker, oldFailures } = search
  const given = (call.typeArguments ?? []).map((type) => checker.getTypeFromTypeNode(type))
  const slugs = given.flatMap((type) => slugsIn(type, search))
  const signature = checker.getResolvedSignature(call)
  if (signature === undefined) return slugs
  if (returnsAnything(signature)) slugs.push(...slugsIn(checker.getTypeAtLocation(call), search))
  const file = call.getSourceFile()
  const [start, end] = [call.getStart(file), call.getEnd()]
  const isFailing = oldFailures.some(
    (at) => at.file === file && at.start >= start && at.start < end,
  )
  if (isFailing || isExpectedToFail(call, search)) {
    const parameters = signature.getParameters()
    slugs.push(
      ...parameters.flatMap((each) =>
        slugsIn(checker.getTypeOfSymbolAtLocation(each, call), search),
      ),
    )
  }
  return slugs
}

/** Whether a function returns any type that its caller wants: a parameter of the type, but of no argument. */
function returnsAnything({ declaration }: ts.Signature): boolean {
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return false
  const { typeParameters = [], parameters, type } = declaration
  return typeParameters.some(
    ({ name: { text } }) =>
      type !== undefined &&
      mentions(type, text) &&
      !parameters.some((each) => mentions(each, text)),
  )
}

function mentions(node: ts.Node, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name
  return ts.forEachChild(node, (child) => mentions(child, name) || undefined) ?? false
}

/** Whether `@ts-expect-error` hides an error of a call. */
function isExpectedToFail(call: Call, { failures, oldFailures }: Search): boolean {
  const file = call.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(call.getStart(file))
  const [start, end] = [file.getLineStarts()[Math.max(0, line - 1)] ?? 0, call.getEnd()]
  const isUnused = [...failures, ...oldFailures].some(
    (at) => at.code === UNUSED_DIRECTIVE && at.file === file && at.start >= start && at.start < end,
  )
  return !isUnused && file.text.slice(start, end).includes('@ts-expect-error')
}

/** The compiler's error for `@ts-expect-error` without an error. */
const UNUSED_DIRECTIVE = 2578

/** The prompts whose values an expression of type `any` becomes, or that it passes on without a type. */
function slugsOfFlow(node: ts.Expression, search: Search): string[] {
  const { checker } = search
  const type = checker.getTypeAtLocation(node)
  const isFunction = type.getCallSignatures().length > 0
  if (!isFunction && !isAny(type, checker)) return []
  const wanted = checker.getContextualType(node)
  if (wanted === undefined) return []
  if (!isFunction) return slugsIn(wanted, search)
  return isUntyped(wanted) ? untypedSlugs(type, search) : []
}

/** Whether a type is `any` or a promise or list of it. */
function isAny(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.Any) return true
  return argumentsOf(type, checker).some((each) => (each.flags & ts.TypeFlags.Any) !== 0)
}

function isUntyped(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Any) !== 0 || type.getSymbol()?.name === 'Function'
}

/** The prompts that a value is, or whose values it takes. */
function untypedSlugs(type: ts.Type, search: Search): string[] {
  const { added, checker, types } = search
  const parameters = type.getCallSignatures().flatMap((signature) => signature.getParameters())
  return [
    ...types.slugsOf(type).filter((slug) => added.has(slug)),
    ...parameters.flatMap((each) => slugsIn(checker.getTypeOfSymbol(each), search)),
  ]
}

/** Values further inside are not searched. */
const MAX_DEPTH = 4

/** The prompts whose new variables a type has. */
function slugsIn(type: ts.Type, search: Search, depth = 0): string[] {
  const { checker, declarations, program, types } = search
  if (depth > MAX_DEPTH) return []
  const inside = (part: ts.Type): string[] => slugsIn(part, search, depth + 1)
  if (type.isUnionOrIntersection()) return type.types.flatMap(inside)
  if (types.isPrompt(type) || types.isNamespace(type)) return []
  const isOwn = (node: ts.Node): boolean =>
    !program.isSourceFileFromExternalLibrary(node.getSourceFile()) &&
    !program.isSourceFileDefaultLibrary(node.getSourceFile())
  if (!(type.flags & ts.TypeFlags.Object)) return []
  const members = type.getProperties().flatMap((property) => {
    if (property.flags & ts.SymbolFlags.Optional) return []
    const nodes = property.declarations ?? []
    if (nodes.some((node) => declarations.includes(node.getSourceFile())))
      return nodes.flatMap((node) => slugOfVariable(node, search))
    return nodes.some(isOwn) ? inside(checker.getTypeOfSymbol(property)) : []
  })
  return [...members, ...argumentsOf(type, checker).flatMap(inside)]
}

function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const isReference = ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
  return type.flags & ts.TypeFlags.Object && isReference
    ? checker.getTypeArguments(type as ts.TypeReference)
    : []
}

/** The prompt of a new variable in the declarations. */
function slugOfVariable(variable: ts.Node, { added }: Search): string[] {
  const contract = variable.parent.parent?.parent
  if (!ts.isPropertySignature(variable) || !ts.isTypeLiteralNode(contract)) return []
  const slugs = contract.members.flatMap((member) =>
    ts.isPropertySignature(member) &&
    textOf(member.name) === 'slug' &&
    member.type !== undefined &&
    ts.isLiteralTypeNode(member.type)
      ? (textOf(member.type.literal) ?? [])
      : [],
  )
  return slugs.filter((slug) => added.get(slug)?.includes(textOf(variable.name) ?? ''))
}

function textOf(node: ts.Node): string | undefined {
  return ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : undefined
}
