import { ts } from '../../analysis/app/compiler.ts'
import { hasProperty } from './name-changes.ts'
import { isAccessor } from './pure-values.ts'
import {
  askBoth,
  changingNames,
  insertBeside,
  printAccess,
  printKey,
  propertyFate,
  refuse,
  replaceNode,
  type RewriteContext,
  unclearName,
} from './rewrite-context.ts'
import { findLiteral } from './trace-literal.ts'
import { hasMember, rewriteMembers } from './rewrite-literals.ts'

/** Names that an expression has to provide under new names too. */
type Wanted = readonly { readonly from: string; readonly to: string }[]

/**
 * Rewrites an expression that passes values to a prompt without an object literal. If the object is built
 * only for this call, its properties are renamed there; otherwise the new names are added here.
 */
export function rewriteValue(context: RewriteContext, node: ts.Expression): void {
  if (!isLeaf(node)) return
  const wanted = wantedNames(context, node)
  if (wanted.length === 0) return
  const { now, members } = context
  if (isUntyped(now.getTypeAtLocation(node)))
    return refuse(context, node, 'types do not show the names of these values')
  const type = now.getNonNullableType(now.getTypeAtLocation(node))
  // Values with a type of the prompt's variables, and literals that were renamed, need no edit.
  const missing = wanted.filter(
    ({ from, to }) =>
      hasProperty(now, type, from) &&
      !type.getProperty(from)?.declarations?.every((each) => members.get(each) === to),
  )
  if (missing.length === 0) return
  const literal = findLiteral(context, node, (use) => isWantedAs(context, use, missing))
  const isTaken = missing.some(({ to }) => literal !== undefined && hasMember(context, literal, to))
  if (literal === undefined || isTaken) return addNames(context, node, missing)
  rewriteMembers(context, literal, (name) => {
    const found = missing.find(({ from }) => from === name)
    return found && { kind: 'renamed', to: found.to }
  })
}

/** Whether an expression creates its value instead of passing on another. */
function isLeaf(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isNonNullExpression(parent) || isNameIn(parent, node)) return false
  if (ts.isAsExpression(node)) return !ts.isConstTypeReference(node.type)
  return LEAVES.has(node.kind)
}

/** Whether a node only names something: a member, a property, a declaration, a tag. */
function isNameIn(parent: ts.Node, node: ts.Node): boolean {
  if (ts.isShorthandPropertyAssignment(parent)) return false
  if ('name' in parent && parent.name === node) return true
  if ('propertyName' in parent && parent.propertyName === node) return true
  return 'tagName' in parent && parent.tagName === node
}

const LEAVES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ElementAccessExpression,
  ts.SyntaxKind.NonNullExpression,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.ThisKeyword,
])

function wantedNames(context: RewriteContext, node: ts.Expression): Wanted {
  const types = askBoth(context, (checker) => checker.getContextualType(node))
  if (types.before === undefined) return []
  return [...changingNames(context)].flatMap((from) => {
    const fate = propertyFate(context, from, types)
    if (fate?.kind === 'unclear') refuse(context, node, unclearName(from))
    return fate?.kind === 'renamed' || fate?.kind === 'copied' ? [{ from, to: fate.to }] : []
  })
}

/** Whether an expression is wanted with all of these names renamed. */
function isWantedAs(context: RewriteContext, node: ts.Expression, names: Wanted): boolean {
  const types = askBoth(context, (checker) => checker.getContextualType(node))
  return names.every(({ from, to }) => {
    const fate = propertyFate(context, from, types)
    return fate?.kind === 'renamed' && fate.to === to
  })
}

function isUntyped({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) !== 0
}

/** `values` → `{ ...values, message: values.ticket }` */
function addNames(context: RewriteContext, node: ts.Expression, names: Wanted): void {
  const { file, old } = context
  if (!isPath(old, node))
    return refuse(context, node, 'the values come from a call: rename the variable there')
  const accessor = names.find(({ from }) => isAccessorOf(old, node, from))
  if (accessor !== undefined)
    return refuse(context, node, `\`${accessor.from}\` is an accessor, which would run twice`)
  const { parent } = node
  const path = node.getText(file)
  const needed = ts.isSpreadAssignment(parent)
    ? names.filter(({ from }) => !isSetAfter(parent, from))
    : names
  const added = needed.map(
    ({ from, to }) => `${printKey(context, to)}: ${path}${printAccess(context, from)}`,
  )
  if (added.length === 0) return
  if (ts.isSpreadAssignment(parent))
    return insertBeside(context, node, { after: `, ${added.join(', ')}` })
  const object = `{ ...${path}, ${added.join(', ')} }`
  if (ts.isShorthandPropertyAssignment(parent))
    return insertBeside(context, node, { after: `: ${object}` })
  const isBody = ts.isArrowFunction(parent) && parent.body === node
  replaceNode(context, node, isBody ? `(${object})` : object)
}

/** Whether a later member of the object sets a name. */
function isSetAfter(spread: ts.SpreadAssignment, name: string): boolean {
  const { properties } = spread.parent
  const later = properties.slice(properties.indexOf(spread) + 1)
  return later.some(({ name: key }) => key !== undefined && 'text' in key && key.text === name)
}

/** Whether reading an expression twice gives the same and has no effect. */
function isPath(checker: ts.TypeChecker, node: ts.Expression): boolean {
  if (ts.isIdentifier(node) || node.kind === ts.SyntaxKind.ThisKeyword) return true
  if (ts.isNonNullExpression(node)) return isPath(checker, node.expression)
  if (ts.isPropertyAccessExpression(node))
    return !node.questionDotToken && !isAccessor(checker, node) && isPath(checker, node.expression)
  if (!ts.isElementAccessExpression(node) || node.questionDotToken) return false
  const { argumentExpression: key, expression } = node
  const isFixed = ts.isStringLiteralLike(key) || ts.isNumericLiteral(key) || ts.isIdentifier(key)
  return isFixed && isPath(checker, expression)
}

function isAccessorOf(checker: ts.TypeChecker, node: ts.Expression, name: string): boolean {
  const symbol = checker.getNonNullableType(checker.getTypeAtLocation(node)).getProperty(name)
  return ((symbol?.flags ?? 0) & ts.SymbolFlags.Accessor) !== 0
}
