import type { ComparedRow } from '../../core/change-row.ts'
import { compareVariables } from '../../core/compare.ts'
import type { PartCheck } from './check-part.ts'
import { ts } from './compiler.ts'

/** A value that may lack a variable which its prompt now needs, though the code compiles. */
export interface UnclearValue {
  readonly node: ts.Node
  readonly slug: string
}

interface Search extends PartCheck {
  /** The variables that are new, by slug. */
  readonly added: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds the values of changed prompts that get their type without a check: from `any`, assertions, type
 * arguments, type guards, functions without a type, and where errors are suppressed; and the prompts that
 * lose their type.
 */
export function findUnclearValues(
  check: PartCheck,
  changes: ReadonlyMap<string, ComparedRow>,
): UnclearValue[] {
  const added = new Map(
    [...changes].flatMap(([slug, { change }]) => {
      const names =
        change.kind === 'updated' ? compareVariables(change.before, change.after).added : []
      return names.length > 0 ? [[slug, names] as const] : []
    }),
  )
  if (added.size === 0) return []
  const search = { ...check, added }
  return check.files.flatMap((file) => {
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
  const { checker } = search.code
  if (ts.isTypePredicateNode(node))
    return node.type ? slugsIn(checker.getTypeFromTypeNode(node.type), search) : []
  const asserted = assertedType(node)
  if (asserted !== undefined) {
    const { value } = asserted
    const type = checker.getTypeFromTypeNode(asserted.type)
    const from = checker.getTypeAtLocation(value)
    const isChecked = !isAny(from, checker) && checker.isTypeAssignableTo(from, type)
    return [...lostSlugs(value, type, search), ...(isChecked ? [] : slugsIn(type, search))]
  }
  const claimed = isCall(node) ? claimedTypes(node, search) : []
  const slugs = claimed.flatMap((type) => slugsIn(type, search))
  if (slugs.length > 0 || !ts.isExpression(node) || assertedType(node.parent)) return slugs
  const target = checker.getContextualType(node)
  if (target === undefined) return []
  return isAny(checker.getTypeAtLocation(node), checker)
    ? slugsIn(target, search)
    : lostSlugs(node, target, search)
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

/** The types that a call returns by a type argument, or takes where errors are suppressed. */
function claimedTypes(call: Call, { code: { checker }, failures, oldFailures }: Search): ts.Type[] {
  const types = (call.typeArguments ?? []).map((type) => checker.getTypeFromTypeNode(type))
  const signature = checker.getResolvedSignature(call)
  if (signature === undefined) return types
  if (returnsAnything(signature)) types.push(checker.getTypeAtLocation(call))
  const file = call.getSourceFile()
  const [start, end] = [call.getStart(file), call.getEnd()]
  const { line } = file.getLineAndCharacterOfPosition(start)
  const from = file.getLineStarts()[Math.max(0, line - 1)] ?? 0
  const isFailing =
    oldFailures.some((at) => at.file === file && at.start >= start && at.start < end) ||
    // Without an error, the comment is one.
    (file.text.slice(from, end).includes('@ts-expect-error') &&
      !failures.some((at) => at.file === file && at.start >= from && at.start < end))
  if (!isFailing) return types
  const parameters = signature.getParameters()
  return [
    ...types,
    ...parameters.map((parameter) => checker.getTypeOfSymbolAtLocation(parameter, call)),
  ]
}

/** Whether a function returns any type that its caller wants: a parameter of the type, but of no argument. */
function returnsAnything({ declaration }: ts.Signature): boolean {
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return false
  const { typeParameters = [], parameters, type } = declaration
  return typeParameters.some(
    ({ name: { text } }) =>
      type !== undefined &&
      mentions(type, text) &&
      !parameters.some((parameter) => mentions(parameter, text)),
  )
}

function mentions(node: ts.Node, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name
  return ts.forEachChild(node, (child) => mentions(child, name) || undefined) ?? false
}

/** Whether a type is `any` or a promise or list of it. */
function isAny(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.Any) return true
  return argumentsOf(type, checker).some(({ flags }) => (flags & ts.TypeFlags.Any) !== 0)
}

/** The prompts that a value is, or whose values it takes, if the type that it gets does not show that. */
function lostSlugs(value: ts.Expression, target: ts.Type, search: Search): string[] {
  const { added } = search
  const { checker, types } = search.code
  if (!isUntyped(target)) return []
  const type = checker.getTypeAtLocation(value)
  const prompts = types.isNamespace(type) ? [...added.keys()] : types.slugsOf(type)
  const parameters = type.getCallSignatures().flatMap((signature) => signature.getParameters())
  return [
    ...prompts.filter((slug) => added.has(slug) && !leavesApp(value, checker)),
    ...parameters.flatMap((parameter) => slugsIn(checker.getTypeOfSymbol(parameter), search)),
  ]
}

const UNTYPED = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive

function isUntyped(type: ts.Type): boolean {
  const values = type.getStringIndexType()
  if (values !== undefined) return isUntyped(values)
  return (type.flags & UNTYPED) !== 0 || type.getSymbol()?.name === 'Function'
}

/** Whether a value is an argument of a library, also inside of a literal, such as `console.log(prompt)`. */
function leavesApp(value: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = value
  if (isCall(parent)) {
    const declaration = checker.getResolvedSignature(parent)?.declaration
    return declaration?.getSourceFile().isDeclarationFile === true
  }
  const isPart = ts.isObjectLiteralElement(parent) || ts.isObjectLiteralExpression(parent)
  return (isPart || ts.isArrayLiteralExpression(parent)) && leavesApp(parent, checker)
}

/** Values further inside are not searched. */
const MAX_DEPTH = 4

/** The prompts whose new variables a type has. */
function slugsIn(type: ts.Type, search: Search, depth = 0): string[] {
  const { checker, declarations, program, types } = search.code
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
      return slugOfVariable(property, search)
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
function slugOfVariable(variable: ts.Symbol, { added, code: { checker } }: Search): string[] {
  const contract = variable.declarations?.[0]?.parent.parent.parent
  const slug = contract && checker.getTypeAtLocation(contract).getProperty('slug')
  const type = slug && checker.getTypeOfSymbol(slug)
  const isNew = type?.isStringLiteral() && added.get(type.value)?.includes(variable.name)
  return isNew ? [type.value] : []
}
