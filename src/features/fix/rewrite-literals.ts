import { ts } from '../../analysis/app/compiler.ts'
import { dropItems, isUnwanted } from './drop-values.ts'
import { printKey } from './print-name.ts'
import { isPure } from './pure-values.ts'
import {
  compareWanted,
  currentText,
  type DecideName,
  refuse,
  replace,
  type RewriteContext,
} from './rewrite-context.ts'

/** Rewrites the members of an object literal whose wanted type changes: `{ ticket }`. */
export function rewriteLiteral(context: RewriteContext, node: ts.ObjectLiteralExpression): void {
  if (isUnwanted(context, node)) return
  rewriteMembers(context, node, compareWanted(context, node))
}

/** Rewrites the members of an object literal by what happens to each name. */
export function rewriteMembers(
  context: RewriteContext,
  node: ts.ObjectLiteralExpression,
  fateOf: DecideName,
): void {
  const dropped: ts.ObjectLiteralElementLike[] = []
  for (const member of node.properties) {
    const name = memberName(context, member)
    const fate = name === undefined ? undefined : fateOf(name, member)
    if (fate === undefined) continue
    if (fate.kind === 'removed') {
      if (isPure(context.old, member)) dropped.push(member)
      else refuse(context, member, 'computing the value of a removed variable may have an effect')
    } else if (hasMember(context, node, fate.to)) {
      refuse(context, member, `the object has \`${fate.to}\` already`)
    } else if (fate.kind === 'renamed') renameMember(context, member, fate.to)
    else copyMember(context, member, fate.to)
  }
  dropItems(context, dropped)
}

/** The name of a member if it is in the code; a name that the types compute counts too. */
function memberName(
  { old }: RewriteContext,
  { name }: ts.ObjectLiteralElementLike,
): string | undefined {
  if (name === undefined) return undefined
  if (!ts.isComputedPropertyName(name)) return name.text
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
  const { name } = member
  if (name === undefined) return
  if (ts.isShorthandPropertyAssignment(member))
    return replace(context, member, `${printKey(context, to)}: `, {
      end: name.getStart(context.file),
    })
  const key = ts.isComputedPropertyName(name) ? name.expression : name
  if (key !== name && !ts.isStringLiteralLike(key)) refuse(context, member, 'its name is computed')
  else replace(context, key, printKey(context, to, key))
}

/** Adds the new name next to the old one. */
function copyMember(
  context: RewriteContext,
  member: ts.ObjectLiteralElementLike,
  to: string,
): void {
  if (!isPure(context.old, member))
    return refuse(context, member, 'both names are needed, and its value would be computed twice')
  const value = ts.isPropertyAssignment(member) ? member.initializer : member.name
  const text = currentText(context, value ?? member)
  replace(context, member, `, ${printKey(context, to)}: ${text}`, { start: member.getEnd() })
}
