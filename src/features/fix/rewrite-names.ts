import { ts } from '../../analysis/app/compiler.ts'
import { nameFate, type NameFate } from './name-changes.ts'
import { rewriteAttribute, rewriteString } from './rewrite-strings.ts'
import {
  askBoth,
  insertBeside,
  isPlainName,
  newName,
  printAccess,
  printKey,
  printString,
  propertyFate,
  refuse,
  replaceNode,
  type RewriteContext,
} from './rewrite-context.ts'

/** Rewrites names that code reads: `values.ticket`, `prompts['old']`, `{ ticket } = values`, imports. */
export function rewriteName(context: RewriteContext, node: ts.Node): void {
  if (ts.isPropertyAccessExpression(node)) rewriteAccess(context, node)
  else if (ts.isElementAccessExpression(node)) rewriteElement(context, node)
  else if (ts.isQualifiedName(node)) rewriteQualified(context, node)
  else if (ts.isIndexedAccessTypeNode(node)) rewriteIndexed(context, node)
  else if (ts.isBindingElement(node)) rewriteBinding(context, node)
  else if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) rewriteSpecifier(context, node)
  else if (ts.isJsxAttribute(node)) rewriteAttribute(context, node)
  else if (ts.isStringLiteralLike(node)) rewriteString(context, node)
}

/** The new name of a property that is read from an object. */
function readName(
  context: RewriteContext,
  object: ts.Node,
  key: ts.Node & { readonly text: string },
): string | undefined {
  return newName(context, key, key.text, readFate(context, object, key.text))
}

function readFate(context: RewriteContext, object: ts.Node, name: string): NameFate | undefined {
  const types = askBoth(context, (checker) => typeOf(checker, object))
  const fate = propertyFate(context, name, types)
  // A name that two prompts share is still there to read.
  return fate?.kind === 'copied' ? undefined : (fate ?? memberFate(context, types.before, name))
}

/** What happens to a name that comes from an object literal of the app. */
function memberFate(
  { members }: RewriteContext,
  type: ts.Type | undefined,
  name: string,
): NameFate | undefined {
  if (members.size === 0) return undefined
  const declarations = type?.getProperty(name)?.declarations ?? []
  const targets = declarations.map((each) => members.get(each))
  if (targets.every((target) => target === undefined)) return undefined
  const [to] = new Set(targets)
  return to !== undefined && new Set(targets).size === 1
    ? { kind: 'renamed', to }
    : { kind: 'unclear' }
}

function typeOf(checker: ts.TypeChecker, node: ts.Node): ts.Type | undefined {
  if (!ts.isEntityName(node)) return checker.getNonNullableType(checker.getTypeAtLocation(node))
  const symbol = checker.getSymbolAtLocation(node)
  return symbol === undefined
    ? undefined
    : checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, node))
}

function rewriteAccess(context: RewriteContext, node: ts.PropertyAccessExpression): void {
  const { name, expression } = node
  const to = readName(context, expression, name)
  if (to === undefined) return
  if (isPlainName(to)) return replaceNode(context, name, to)
  const { file } = context
  const dot = /\.$/.exec(file.text.slice(expression.getEnd(), name.getStart(file)).trimEnd())
  if (dot === null) return refuse(context, name, 'a comment is in the access')
  const isOptional = node.questionDotToken !== undefined
  const start = isOptional ? name.getStart(file) : expression.getEnd() + dot.index
  context.edits.push({ node: name, start, end: name.getEnd(), text: printAccess(context, to) })
}

function rewriteElement(context: RewriteContext, node: ts.ElementAccessExpression): void {
  const { argumentExpression: key, expression } = node
  if (!ts.isStringLiteralLike(key) && !ts.isNumericLiteral(key)) return
  const to = readName(context, expression, key)
  if (to !== undefined) replaceNode(context, key, printString(context, to, key))
}

/** `typeof prompts.old` */
function rewriteQualified(context: RewriteContext, node: ts.QualifiedName): void {
  const { left, right, parent } = node
  if (!ts.isTypeQueryNode(rootOfName(node).parent)) return
  const to = readName(context, left, right)
  if (to === undefined) return
  if (isPlainName(to)) return replaceNode(context, right, to)
  if (ts.isQualifiedName(parent)) return refuse(context, right, `\`${to}\` needs brackets here`)
  const text = printAccess(context, to)
  context.edits.push({ node: right, start: left.getEnd(), end: right.getEnd(), text })
}

function rootOfName(node: ts.QualifiedName): ts.Node {
  let root: ts.Node = node
  while (ts.isQualifiedName(root.parent)) root = root.parent
  return root
}

/** `Prompts['old']` */
function rewriteIndexed(context: RewriteContext, node: ts.IndexedAccessTypeNode): void {
  const { indexType, objectType } = node
  if (!ts.isLiteralTypeNode(indexType) || !ts.isStringLiteral(indexType.literal)) return
  const { literal: key } = indexType
  const types = askBoth(context, (checker) => checker.getTypeFromTypeNode(objectType))
  const fate = propertyFate(context, key.text, types)
  const to = newName(context, key, key.text, fate)
  if (to !== undefined) replaceNode(context, key, printString(context, to, key))
}

function rewriteBinding(context: RewriteContext, node: ts.BindingElement): void {
  const { parent, propertyName, name, dotDotDotToken } = node
  if (!ts.isObjectBindingPattern(parent) || dotDotDotToken !== undefined) return
  const key = propertyName ?? name
  if (!ts.isIdentifier(key) && !ts.isStringLiteralLike(key) && !ts.isNumericLiteral(key)) return
  const to = readName(context, parent, key)
  if (to !== undefined) renameKey(context, node, to, ': ')
}

function rewriteSpecifier(
  context: RewriteContext,
  node: ts.ImportSpecifier | ts.ExportSpecifier,
): void {
  const specifier = moduleOf(node)
  if (specifier === undefined) return
  const key = node.propertyName ?? node.name
  const exports = askBoth(context, (checker) => {
    const symbol = checker.getSymbolAtLocation(specifier)
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name)
  })
  const fate = nameFate(key.text, context.names, {
    before: (name) => exports.before.includes(name),
    after: (name) => exports.after.includes(name),
  })
  const to = newName(context, key, key.text, fate)
  if (to !== undefined) renameKey(context, node, to, ' as ')
}

/** Renames a key, and keeps the name of the variable. */
function renameKey(
  context: RewriteContext,
  { propertyName: key, name }: ts.BindingElement | ts.ImportSpecifier | ts.ExportSpecifier,
  to: string,
  separator: string,
): void {
  if (key !== undefined) replaceNode(context, key, printKey(context, to, key))
  else insertBeside(context, name, { before: printKey(context, to) + separator })
}

function moduleOf(node: ts.ImportSpecifier | ts.ExportSpecifier): ts.Expression | undefined {
  if (ts.isExportSpecifier(node)) return node.parent.parent.moduleSpecifier
  const { parent } = node.parent.parent
  return ts.isImportDeclaration(parent) ? parent.moduleSpecifier : undefined
}
