import { ts } from '../../analysis/app/compiler.ts'
import type { NameFate } from './name-changes.ts'
import { isPure } from './pure-values.ts'
import { removeItems } from './remove-items.ts'
import { isExcess } from './rewrite-call.ts'
import {
  askBoth,
  changingNames,
  insertBeside,
  printKey,
  propertyFate,
  refuse,
  replaceNode,
  type RewriteContext,
  unclearName,
} from './rewrite-context.ts'

/** Rewrites the members of an object literal whose wanted type changes: `{ ticket }`. */
export function rewriteLiteral(context: RewriteContext, node: ts.ObjectLiteralExpression): void {
  const types = askBoth(context, (checker) => checker.getContextualType(node))
  if (types.before === undefined || isExcess(context.now, node)) return
  rewriteMembers(context, node, (name) => propertyFate(context, name, types))
}

/** Rewrites the members of an object literal by what happens to each name. */
export function rewriteMembers(
  context: RewriteContext,
  node: ts.ObjectLiteralExpression,
  fateOf: (name: string) => NameFate | undefined,
): void {
  const names = changingNames(context)
  const dropped = new Set<ts.Node>()
  for (const member of node.properties) {
    const name = memberName(context, member)
    if (name === undefined || !names.has(name)) continue
    const fate = fateOf(name)
    if (fate === undefined) continue
    if (fate.kind === 'removed') dropMember(context, member, dropped)
    else if (fate.kind === 'unclear') refuse(context, member, unclearName(name))
    else if (hasMember(context, node, fate.to))
      refuse(context, member, `the object has \`${fate.to}\` already`)
    else if (fate.kind === 'renamed') renameMember(context, member, fate.to)
    else copyMember(context, member, fate.to)
  }
  const [first] = dropped
  if (first === undefined) return
  const edits = removeItems(context.file, node.properties, dropped)
  if (edits !== undefined) context.edits.push(...edits.map((edit) => ({ node: first, ...edit })))
  else refuse(context, first, 'a comment is before its comma')
}

/** The name of a member if it is in the code; a name that the types compute counts too. */
function memberName(
  { old }: RewriteContext,
  { name }: ts.ObjectLiteralElementLike,
): string | undefined {
  if (name === undefined) return undefined
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name))
    return name.text
  if (!ts.isComputedPropertyName(name)) return undefined
  const type = old.getTypeAtLocation(name.expression)
  return type.isStringLiteral() ? type.value : undefined
}

/** Whether an object literal has a member of a name. */
export function hasMember(
  context: RewriteContext,
  { properties }: ts.ObjectLiteralExpression,
  name: string,
): boolean {
  return properties.some((member) => memberName(context, member) === name)
}

/** Renames a member and remembers it, since other code may read it. */
function renameMember(
  context: RewriteContext,
  member: ts.ObjectLiteralElementLike,
  to: string,
): void {
  context.members.set(member, to)
  if (ts.isShorthandPropertyAssignment(member))
    return insertBeside(context, member, { before: `${printKey(context, to)}: ` })
  const { name } = member
  if (name === undefined) return
  const isComputed = ts.isComputedPropertyName(name)
  const key = isComputed ? name.expression : name
  if (isComputed && !ts.isStringLiteralLike(key)) refuse(context, member, 'its name is computed')
  else replaceNode(context, key, printKey(context, to, key))
}

/** Adds the new name next to the old one. */
function copyMember(
  context: RewriteContext,
  member: ts.ObjectLiteralElementLike,
  to: string,
): void {
  const value = valueOf(member)
  if (value === undefined || !isPure(context.old, value))
    return refuse(context, member, 'both names are needed, and its value would be computed twice')
  const text = value.getText(context.file)
  insertBeside(context, member, { after: `, ${printKey(context, to)}: ${text}` })
}

function dropMember(
  context: RewriteContext,
  member: ts.ObjectLiteralElementLike,
  dropped: Set<ts.Node>,
): void {
  const value = valueOf(member)
  if (value !== undefined && isPure(context.old, value)) dropped.add(member)
  else refuse(context, member, 'computing the value of a removed variable may have an effect')
}

function valueOf(member: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isShorthandPropertyAssignment(member)) return member.name
  return ts.isPropertyAssignment(member) ? member.initializer : undefined
}
