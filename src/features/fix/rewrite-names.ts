import { ts } from '../../analysis/app/compiler.ts'
import { isPlainName, printAccess, printKey, printString } from './print-name.ts'
import {
  compareTypes,
  partsOf,
  type ReadType,
  refuse,
  refuseUnclear,
  replace,
  type RewriteContext,
} from './rewrite-context.ts'

/** Rewrites names that code reads: `values.ticket`, `prompts['old']`, `{ ticket } = values`, imports. */
export function rewriteName(context: RewriteContext, node: ts.Node): void {
  if (ts.isPropertyAccessExpression(node)) rewriteAccess(context, node)
  else if (ts.isQualifiedName(node)) rewriteQualified(context, node)
  else if (ts.isElementAccessExpression(node))
    rewriteQuoted(context, node.argumentExpression, node.expression)
  else if (ts.isIndexedAccessTypeNode(node) && ts.isLiteralTypeNode(node.indexType))
    rewriteQuoted(context, node.indexType.literal, node.objectType)
  else if (ts.isBindingElement(node)) rewriteBinding(context, node)
  else if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) rewriteSpecifier(context, node)
  else if (ts.isJsxAttribute(node)) rewriteAttribute(context, node)
  else if (ts.isStringLiteralLike(node)) rewriteString(context, node)
}

/** A node that is a name. */
type Name = ts.Node & { readonly text: string }

/** Returns the new name of a property that is read; `undefined` if it stays or is not decidable. */
function newName(context: RewriteContext, name: Name, readType: ReadType): string | undefined {
  if (!context.names.has(name.text)) return undefined
  const fate = compareTypes(context, readType)(name.text, name)
  if (fate === undefined) return newMemberName(context, name, readType(context.old))
  // A name that two prompts share is still there to read.
  return fate.kind === 'renamed' ? fate.to : undefined
}

/** The new name of a member of object literals in the app. */
function newMemberName(
  context: RewriteContext,
  name: Name,
  type: ts.Type | undefined,
): string | undefined {
  const declarations = type?.getProperty(name.text)?.declarations ?? []
  const [to, ...others] = new Set(declarations.map((each) => context.members.get(each)))
  if (others.length === 0) return to
  refuseUnclear(context, name, name.text)
  return undefined
}

/** Reads the type of the object, module or type that has a name. */
function typeOf(node: ts.Node): ReadType {
  return (checker) => {
    const isReference = ts.isEntityName(node) || ts.isStringLiteral(node)
    if (!isReference) return checker.getNonNullableType(checker.getTypeAtLocation(node))
    const symbol = checker.getSymbolAtLocation(node)
    return symbol && checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, node))
  }
}

function rewriteAccess(context: RewriteContext, node: ts.PropertyAccessExpression): void {
  const to = newName(context, node.name, typeOf(node.expression))
  if (to !== undefined) renameAccess(context, node, { name: node.name, to })
}

/** `typeof prompts.old` */
function rewriteQualified(context: RewriteContext, node: ts.QualifiedName): void {
  let root: ts.Node = node
  while (ts.isQualifiedName(root.parent)) root = root.parent
  if (!ts.isTypeQueryNode(root.parent)) return
  const to = newName(context, node.right, typeOf(node.left))
  if (to === undefined) return
  if (root !== node && !isPlainName(to))
    refuse(context, node.right, `\`${to}\` needs brackets here`)
  else renameAccess(context, node, { name: node.right, to })
}

/** `.old` → `.new`, or `['the-new']` without the dot. */
function renameAccess(
  context: RewriteContext,
  node: ts.Node,
  { name, to }: { readonly name: ts.Node; readonly to: string },
): void {
  if (isPlainName(to)) return replace(context, name, to)
  const { file } = context
  const dot = node.getChildren(file).find(({ kind }) => kind === ts.SyntaxKind.DotToken)
  if (dot !== undefined)
    replace(context, name, '', { start: dot.getStart(file), end: dot.getEnd() })
  replace(context, name, printAccess(context, to))
}

/** `prompts['old']` and `Prompts['old']` */
function rewriteQuoted(context: RewriteContext, key: ts.Node, object: ts.Node): void {
  if (!ts.isStringLiteralLike(key) && !ts.isNumericLiteral(key)) return
  const to = newName(context, key, typeOf(object))
  if (to !== undefined) replace(context, key, printString(context, to, key))
}

function rewriteBinding(context: RewriteContext, node: ts.BindingElement): void {
  const { parent, propertyName, name, dotDotDotToken } = node
  const key = propertyName ?? name
  if (!ts.isObjectBindingPattern(parent) || dotDotDotToken !== undefined || !('text' in key)) return
  const to = newName(context, key, typeOf(parent))
  if (to !== undefined) renameKey(context, node, to, ': ')
}

function rewriteSpecifier(
  context: RewriteContext,
  node: ts.ImportSpecifier | ts.ExportSpecifier,
): void {
  const list = node.parent.parent
  const module = ts.isExportDeclaration(list) ? list.moduleSpecifier : list.parent.moduleSpecifier
  if (module === undefined) return
  const to = newName(context, node.propertyName ?? node.name, typeOf(module))
  if (to !== undefined) renameKey(context, node, to, ' as ')
}

/** Renames a key, and keeps the name of the variable. */
function renameKey(
  context: RewriteContext,
  { propertyName: key, name }: ts.BindingElement | ts.ImportSpecifier | ts.ExportSpecifier,
  to: string,
  separator: string,
): void {
  if (key !== undefined) return replace(context, key, printKey(context, to, key))
  replace(context, name, printKey(context, to) + separator, { end: name.getStart(context.file) })
}

/** `<Triage ticket="…" />`, with properties of the type of a prompt's variables. */
function rewriteAttribute(context: RewriteContext, { name, parent }: ts.JsxAttribute): void {
  if (!ts.isIdentifier(name)) return
  const to = newName(context, name, (checker) => checker.getContextualType(parent))
  if (to === undefined) return
  if (/^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(to)) replace(context, name, to)
  else refuse(context, name, `\`${to}\` can't be an attribute`)
}

/** A string whose type is a union of names, such as `const key: VariablesOf<Triage> = 'ticket'`. */
function rewriteString(context: RewriteContext, node: ts.StringLiteralLike): void {
  if (!context.names.has(node.text)) return
  const readType: ReadType = (checker) => stringContext(checker, node)
  const fate = compareTypes(context, readType, hasText)(node.text, node)
  if (fate?.kind !== 'renamed') return
  // An attribute has no escapes.
  if (ts.isJsxAttribute(node.parent) && !/^[\w.-]+$/.test(fate.to))
    refuse(context, node, `\`${fate.to}\` can't be in an attribute`)
  else replace(context, node, printString(context, fate.to, node))
}

function hasText(type: ts.Type | undefined, text: string): boolean {
  return partsOf(type).some((part) => part.isStringLiteral() && part.value === text)
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
