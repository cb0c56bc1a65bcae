/** The uses of prompts in an app that the compiler sees with their types. */
import { ts } from './compiler.ts'
import { nodesBelow } from './place.ts'
import type { PromptCode } from './prompt-code.ts'

interface PromptUse {
  readonly node: ts.Node
  /** Several if the type is a union; none where all prompts are passed on, so that any may be used. */
  readonly slugs: readonly string[]
}

/** Finds the nodes with the type of a prompt in the files of a part that import prompts. */
export function typedUses(code: PromptCode): PromptUse[] {
  return code.files
    .filter(code.importsPrompts)
    .flatMap((file) => nodesBelow(file))
    .flatMap((node) => useAt(node, code))
}

function useAt(node: ts.Node, code: PromptCode): PromptUse[] {
  const isAny = isDynamic(node, code)
  const slugs = isUse(node) && !isAny ? code.slugsOf(code.checker.getTypeAtLocation(node)) : []
  if (slugs.length > 0) return [{ node: placeOf(node), slugs }]
  return isAny || isEscape(node, code) ? [{ node, slugs }] : []
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

/** Whether a node is `prompts[key]` with a key that types do not determine. */
function isDynamic(node: ts.Node, { checker, isNamespace, names }: PromptCode): boolean {
  if (!ts.isElementAccessExpression(node)) return false
  if (!isNamespace(checker.getTypeAtLocation(node.expression))) return false
  const key = checker.getTypeAtLocation(node.argumentExpression)
  const parts = key.isUnion() ? key.types : [key]
  // `keyof Prompts` includes all names, so it determines as little as `string`.
  const isAnyName = names.size > 1 && parts.length >= names.size
  return isAnyName || !parts.every((part) => part.isStringLiteral() || part.isNumberLiteral())
}

/** Whether the object with all prompts is at a node, and any of them may be used by what becomes of it. */
function isEscape(node: ts.Node, code: PromptCode): boolean {
  const isAll = (other: ts.Node): boolean => code.isNamespace(code.checker.getTypeAtLocation(other))
  // `Prompts[Key]`, and the rest of a pattern.
  if (ts.isIndexedAccessTypeNode(node)) return isAll(node.objectType)
  if (ts.isBindingElement(node)) return node.dotDotDotToken !== undefined && isAll(node.parent)
  const isReference = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
  return isReference && isAll(node) && losesType(node, code)
}

/** Whether the object with all prompts is iterated, spread, or used as another type. */
function losesType(node: ts.Node, { checker, isNamespace }: PromptCode): boolean {
  const { parent } = outermost(node)
  if (ts.isForInStatement(parent) || ts.isSpreadAssignment(parent)) return true
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false
  const isInitializer = ts.isVariableDeclaration(parent) || ts.isParameter(parent)
  if (isInitializer && parent.type === undefined) return false
  const target = ts.isExpression(node) ? checker.getContextualType(node) : undefined
  return target !== undefined && !isNamespace(target)
}

/** The expression that a node may be the value of: `flag ? staging : prompts`, in parentheses or not. */
function outermost(node: ts.Node): ts.Node {
  const { parent } = node
  const isBranch = ts.isConditionalExpression(parent) && parent.condition !== node
  return isBranch || ts.isParenthesizedExpression(parent) ? outermost(parent) : node
}
