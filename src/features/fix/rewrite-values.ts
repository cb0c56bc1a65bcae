import { ts } from '../../analysis/app/compiler.ts'
import { printAccess, printKey } from './print-name.ts'
import { isAccessor, isPure } from './pure-values.ts'
import {
  compareWanted,
  currentText,
  hasProperty,
  isUntyped,
  refuse,
  replace,
  type RewriteContext,
} from './rewrite-context.ts'
import { hasMember, rewriteMembers } from './rewrite-literals.ts'
import { findLiteral } from './trace-literal.ts'

/** The new names that an expression has to provide, by the old ones. */
type Wanted = ReadonlyMap<string, string>

/**
 * Rewrites an expression that passes values to a prompt without an object literal. If the object is built
 * only for this call, its properties are renamed there; otherwise the new names are added here.
 */
export function rewriteValue(context: RewriteContext, node: ts.Expression): void {
  if (!isLeaf(node)) return
  const missing = missingNames(context, node)
  if (missing.size === 0) return
  const literal = findLiteral(context, node, (use) => {
    const fateOf = compareWanted(context, use)
    return [...missing].every(([from, to]) => {
      const fate = fateOf(from)
      return fate?.kind === 'renamed' && fate.to === to
    })
  })
  const isTaken = (to: string): boolean => literal !== undefined && hasMember(context, literal, to)
  if (literal === undefined || [...missing.values()].some(isTaken))
    return addNames(context, node, missing)
  rewriteMembers(context, literal, (name) => {
    const to = missing.get(name)
    return to === undefined ? undefined : { kind: 'renamed', to }
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

/** The names that an expression is wanted with and has not: its own type still has the old ones. */
function missingNames(context: RewriteContext, node: ts.Expression): Wanted {
  const { now, members, names } = context
  const fateOf = compareWanted(context, node)
  const wanted = [...names.keys()].flatMap((from) => {
    const fate = fateOf(from, node)
    return fate === undefined || fate.kind === 'removed' ? [] : [[from, fate.to] as const]
  })
  if (wanted.length === 0) return new Map()
  const given = now.getTypeAtLocation(node)
  if (isUntyped(given)) refuse(context, node, 'types do not show the names of these values')
  const type = now.getNonNullableType(given)
  // Values with a type of the prompt's variables, and literals that were renamed, need no edit.
  const isMissing = ([from, to]: readonly [string, string]): boolean =>
    hasProperty(type, from) &&
    !type.getProperty(from)?.declarations?.every((each) => members.get(each) === to)
  return new Map(wanted.filter(isMissing))
}

/** `values` → `{ ...values, message: values.ticket }` */
function addNames(context: RewriteContext, node: ts.Expression, names: Wanted): void {
  const { old } = context
  const isCopied = isPure(old, node) && !ts.isAsExpression(node) && !ts.isOptionalChain(node)
  if (!isCopied)
    return refuse(context, node, 'the values come from a call: rename the variable there')
  const type = old.getNonNullableType(old.getTypeAtLocation(node))
  const accessor = [...names.keys()].find((from) => isAccessor(type.getProperty(from)))
  if (accessor !== undefined)
    return refuse(context, node, `\`${accessor}\` is an accessor, which would run twice`)
  const { parent } = node
  const path = currentText(context, node)
  const added = [...names]
    .filter(([from]) => !ts.isSpreadAssignment(parent) || !isSetAfter(parent, from))
    .map(([from, to]) => `, ${printKey(context, to)}: ${path}${printAccess(context, from)}`)
    .join('')
  const [start, end] = [node.getEnd(), node.getStart(context.file)]
  if (ts.isSpreadAssignment(parent)) return replace(context, node, added, { start })
  if (ts.isShorthandPropertyAssignment(parent))
    return replace(context, node, `: { ...${path}${added} }`, { start })
  const isBody = ts.isArrowFunction(parent) && parent.body === node
  replace(context, node, isBody ? '({ ...' : '{ ...', { end })
  replace(context, node, isBody ? `${added} })` : `${added} }`, { start })
}

/** Whether a later member of the object sets a name. */
function isSetAfter(spread: ts.SpreadAssignment, name: string): boolean {
  const { properties } = spread.parent
  const later = properties.slice(properties.indexOf(spread) + 1)
  return later.some(({ name: key }) => key !== undefined && 'text' in key && key.text === name)
}
