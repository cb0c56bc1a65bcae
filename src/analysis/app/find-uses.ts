import { ts } from './compiler.ts'
import { nodesBelow } from './place.ts'
import type { PromptCode } from './prompt-code.ts'
import { createImportFilter } from './prompt-modules.ts'

/**
 * How code uses a prompt: calls `render`, reads another field, passes it to a function, refers to its type,
 * or anything else, such as assigning or exporting it. `unproven`: the compiler does not see the use with
 * its types, such as in markup.
 */
export type UsageKind = 'render' | 'field' | 'argument' | 'type' | 'value' | 'unproven'

/** The uses of prompts in the files of a part that import them. */
export function usesIn(code: PromptCode): FileUsage[] {
  return code.files.filter(createImportFilter(code)).map((file) => collectUsage(file, code))
}

export interface FileUsage {
  readonly file: ts.SourceFile
  readonly uses: readonly PromptUse[]
}

interface PromptUse {
  readonly node: ts.Node
  /** Several if the type is a union; none where all prompts are passed on, so that any may be used. */
  readonly slugs: readonly string[]
  readonly kind: UsageKind
}

/** Finds the nodes of a file that have the type of a prompt. */
function collectUsage(file: ts.SourceFile, code: PromptCode): FileUsage {
  const { checker, slugsOf } = code
  const uses: PromptUse[] = []
  for (const node of nodesBelow(file)) {
    const slugs = isUse(node) ? slugsOf(checker.getTypeAtLocation(node)) : []
    if (isDynamic(node, code) || (slugs.length === 0 && isEscape(node, code)))
      uses.push({ node, slugs: [], kind: isMadeUntyped(node, checker) ? 'unproven' : 'value' })
    else if (slugs.length > 0) uses.push({ node: placeOf(node), slugs, kind: kindOf(node, code) })
  }
  return { file, uses }
}

/** Whether a node is a use: not an import and not the name of a declaration. */
function isUse(node: ts.Node): boolean {
  if (ts.isTypeQueryNode(node) || ts.isIndexedAccessTypeNode(node)) return true
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return true
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBindingElement(parent))
    return parent.name === node && ts.isObjectBindingPattern(parent.parent)
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false
  return ts.isShorthandPropertyAssignment(parent) || !('name' in parent && parent.name === node)
}

/** Returns the node to report: the name, not the object before it. */
function placeOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAccessExpression(node)) return node.name
  return ts.isElementAccessExpression(node) ? node.argumentExpression : node
}

function kindOf(node: ts.Node, { checker }: PromptCode): UsageKind {
  const { parent } = node
  if (ts.isTypeNode(node)) return 'type'
  if (isMadeUntyped(node, checker)) return 'unproven'
  if (ts.isCallExpression(parent)) return 'argument'
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return 'value'
  return parent.name.text === 'render' ? 'render' : 'field'
}

/** Whether a node is `prompts[key]` with a key that types do not determine. */
function isDynamic(node: ts.Node, { checker, isNamespace, nameCount }: PromptCode): boolean {
  if (!ts.isElementAccessExpression(node)) return false
  if (!isNamespace(checker.getTypeAtLocation(node.expression))) return false
  const key = checker.getTypeAtLocation(node.argumentExpression)
  const parts = key.isUnion() ? key.types : [key]
  // `keyof Prompts` includes all names, so it determines as little as `string`.
  const isAnyName = nameCount > 1 && parts.length >= nameCount
  return isAnyName || !parts.every((part) => part.isStringLiteral() || part.isNumberLiteral())
}

/**
 * Whether the object with all prompts loses its type here: it is iterated, spread, or untyped, or its type
 * is mapped over.
 */
function isEscape(node: ts.Node, { checker, isNamespace }: PromptCode): boolean {
  const isAll = (other: ts.Node): boolean => isNamespace(checker.getTypeAtLocation(other))
  if (ts.isIndexedAccessTypeNode(node)) return isAll(node.objectType)
  if (ts.isBindingElement(node) && node.dotDotDotToken !== undefined) return isAll(node.parent)
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return false
  if (isMadeUntyped(node, checker)) return isAll(node)
  const { parent } = outermost(node)
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false
  if (!isAll(node)) return false
  const isInitializer = ts.isVariableDeclaration(parent) || ts.isParameter(parent)
  if (isInitializer && parent.type === undefined) return false
  if (ts.isForInStatement(parent) || ts.isSpreadAssignment(parent)) return true
  const target = ts.isExpression(node) ? checker.getContextualType(node) : undefined
  return target !== undefined && !isNamespace(target)
}

/** The expression that a node may be the value of: `flag ? staging : prompts`, in parentheses or not. */
function outermost(node: ts.Node): ts.Node {
  const { parent } = node
  const isBranch = ts.isConditionalExpression(parent) && parent.condition !== node
  return isBranch || ts.isParenthesizedExpression(parent) ? outermost(parent) : node
}

/** Whether an assertion gives a value the type `any`, also in a comment in JavaScript. */
function isMadeUntyped({ parent }: ts.Node, checker: ts.TypeChecker): boolean {
  const isParenthesized = ts.isParenthesizedExpression(parent)
  if (isParenthesized && ts.getJSDocType(parent) === undefined)
    return isMadeUntyped(parent, checker)
  const isAssertion =
    isParenthesized || ts.isAsExpression(parent) || ts.isTypeAssertionExpression(parent)
  return isAssertion && isUntyped(checker.getTypeAtLocation(parent))
}

/** Whether a type is `any`, `unknown`, or has only such properties. */
export function isUntyped(type: ts.Type): boolean {
  const values = type.getStringIndexType()
  if (values !== undefined) return isUntyped(values)
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
}
