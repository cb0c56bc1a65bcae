import { ts } from '../../analysis/app/compiler.ts'
import { nameFate } from './name-changes.ts'
import {
  askBoth,
  newName,
  printString,
  propertyFate,
  refuse,
  replaceNode,
  type RewriteContext,
} from './rewrite-context.ts'

/** `<Triage ticket="…" />`, with properties of the type of a prompt's variables. */
export function rewriteAttribute(context: RewriteContext, { name, parent }: ts.JsxAttribute): void {
  const text = name.getText(context.file)
  const types = askBoth(context, (checker) => checker.getContextualType(parent))
  const fate = propertyFate(context, text, types)
  const to = newName(context, name, text, fate)
  if (to === undefined) return
  if (/^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(to)) replaceNode(context, name, to)
  else refuse(context, name, `\`${to}\` can't be an attribute`)
}

/** A string whose type is a union of names, such as `const key: VariablesOf<Triage> = 'ticket'`. */
export function rewriteString(context: RewriteContext, node: ts.StringLiteralLike): void {
  const types = askBoth(context, (checker) => stringContext(checker, node))
  const fate = nameFate(node.text, context.names, {
    before: (each) => allows(types.before, each),
    after: (each) => allows(types.after, each),
  })
  const to = newName(context, node, node.text, fate)
  if (to === undefined) return
  // An attribute has no escapes.
  if (ts.isJsxAttribute(node.parent) && !/^[\w.-]+$/.test(to))
    refuse(context, node, `\`${to}\` can't be in an attribute`)
  else replaceNode(context, node, printString(context, to, node))
}

/** The type that a string is checked or compared with. */
function stringContext(checker: ts.TypeChecker, node: ts.StringLiteralLike): ts.Type | undefined {
  const { parent } = node
  if (ts.isCaseClause(parent)) return declaredType(checker, parent.parent.parent.expression)
  if (ts.isBinaryExpression(parent) && EQUALITY.has(parent.operatorToken.kind))
    return declaredType(checker, parent.left === node ? parent.right : parent.left)
  return checker.getContextualType(node)
}

/** The type before conditions narrow it: where `'ticket'` is left out, it can't be compared with. */
function declaredType(checker: ts.TypeChecker, node: ts.Expression): ts.Type {
  const symbol = checker.getSymbolAtLocation(node)
  return symbol === undefined ? checker.getTypeAtLocation(node) : checker.getTypeOfSymbol(symbol)
}

const EQUALITY: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
])

function allows(type: ts.Type | undefined, text: string): boolean {
  if (type === undefined) return false
  const parts = type.isUnion() ? type.types : [type]
  return parts.some((part) => part.isStringLiteral() && part.value === text)
}
