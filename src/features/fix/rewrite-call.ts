import { ts } from '../../analysis/app/compiler.ts'
import { isPure } from './pure-values.ts'
import { removeItems } from './remove-items.ts'
import { refuse, type RewriteContext } from './rewrite-context.ts'

/** Drops the argument of a prompt that has no variables any more: `render({ ticket })` → `render()`. */
export function rewriteCall(context: RewriteContext, node: ts.CallExpression): void {
  const { old, now, names, file } = context
  const last = node.arguments.at(-1)
  if (last === undefined || !isExcess(now, last)) return
  const wanted = old.getContextualType(last)?.getProperties() ?? []
  if (wanted.length === 0 || !wanted.every(({ name }) => names.removed.has(name))) return
  if (!isPureArgument(old, last))
    return refuse(context, last, 'computing the values of removed variables may have an effect')
  const edits = removeItems(file, node.arguments, new Set([last]))
  if (edits === undefined) refuse(context, last, 'a comment is before its comma')
  else context.edits.push(...edits.map((edit) => ({ node: last, ...edit })))
}

/** Whether an expression is an argument that the function does not take. */
export function isExcess(checker: ts.TypeChecker, node: ts.Expression): boolean {
  const { parent } = node
  if (!ts.isCallExpression(parent) || ts.isSpreadElement(node)) return false
  const index = parent.arguments.indexOf(node)
  return index >= parameterCount(checker, parent)
}

function parameterCount(checker: ts.TypeChecker, node: ts.CallExpression): number {
  const { parameters = [] } = checker.getResolvedSignature(node) ?? {}
  const declaration = parameters.at(-1)?.valueDeclaration
  const last = parameters.at(-1)
  if (last === undefined || !declaration || !ts.isParameter(declaration)) return parameters.length
  if (declaration.dotDotDotToken === undefined) return parameters.length
  const type = checker.getTypeOfSymbolAtLocation(last, node)
  if (!checker.isTupleType(type)) return Number.POSITIVE_INFINITY
  return parameters.length - 1 + checker.getTypeArguments(type as ts.TypeReference).length
}

function isPureArgument(checker: ts.TypeChecker, node: ts.Expression): boolean {
  if (!ts.isObjectLiteralExpression(node)) return isPure(checker, node)
  return node.properties.every(
    (member) =>
      ts.isShorthandPropertyAssignment(member) ||
      (ts.isPropertyAssignment(member) && isPure(checker, member.initializer)),
  )
}
