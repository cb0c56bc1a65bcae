import { ts } from './compiler.ts'
import type { PromptTypes } from './prompt-types.ts'

/**
 * How code uses a prompt: calls `render`, reads another field, passes it to a function, refers to its type,
 * or anything else, such as assigning or exporting it.
 */
export type UsageKind = 'render' | 'field' | 'argument' | 'type' | 'value'

/** A node that refers to one prompt, or to several if its type is a union. */
export interface PromptUse {
  readonly node: ts.Node
  readonly slugs: readonly string[]
  readonly kind: UsageKind
}

/** The uses of prompts in one file. */
export interface FileUsage {
  readonly uses: readonly PromptUse[]
  /** Where all prompts are passed on together, so that types no longer show which are used. */
  readonly escapes: readonly ts.Node[]
}

/** Finds the nodes of a file that have the type of a prompt. */
export function collectUsage(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  types: PromptTypes,
): FileUsage {
  const uses: PromptUse[] = []
  const escapes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    const slugs = isUse(node) ? types.slugsOf(checker.getTypeAtLocation(node)) : []
    if (isDynamic(node, checker, types)) escapes.push(node)
    else if (slugs.length > 0) uses.push({ node: placeOf(node), slugs, kind: kindOf(node) })
    else if (isEscape(node, checker, types)) escapes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { uses, escapes }
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
  return !isDeclarationName(node)
}

function isDeclarationName(node: ts.Identifier): boolean {
  const { parent } = node
  return 'name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent)
}

/** Returns the node to report: the name, not the object before it. */
function placeOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAccessExpression(node)) return node.name
  return ts.isElementAccessExpression(node) ? node.argumentExpression : node
}

function kindOf(node: ts.Node): UsageKind {
  const { parent } = node
  if (ts.isTypeNode(node)) return 'type'
  if (ts.isCallExpression(parent)) return 'argument'
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return 'value'
  return parent.name.text === 'render' ? 'render' : 'field'
}

/** Whether a node is `prompts[key]` with a key that types do not determine. */
function isDynamic(node: ts.Node, checker: ts.TypeChecker, types: PromptTypes): boolean {
  if (!ts.isElementAccessExpression(node)) return false
  if (!types.isNamespace(checker.getTypeAtLocation(node.expression))) return false
  const key = checker.getTypeAtLocation(node.argumentExpression)
  return (
    !(key.isUnion() ? key.types : [key]).every(
      (part) => part.isStringLiteral() || part.isNumberLiteral(),
    ) || isAnyKey(key, types)
  )
}

/** `keyof Prompts` includes all names, so it determines as little as `string`. */
function isAnyKey(key: ts.Type, { names }: PromptTypes): boolean {
  return key.isUnion() && key.types.length >= names && names > 1
}

/**
 * Whether the object with all prompts loses its type here: it is iterated, spread, or untyped, or its type
 * is mapped over.
 */
function isEscape(node: ts.Node, checker: ts.TypeChecker, types: PromptTypes): boolean {
  if (ts.isIndexedAccessTypeNode(node))
    return types.isNamespace(checker.getTypeAtLocation(node.objectType))
  if (ts.isBindingElement(node) && node.dotDotDotToken !== undefined) {
    return types.isNamespace(checker.getTypeAtLocation(node.parent))
  }
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false
  if (!types.isNamespace(checker.getTypeAtLocation(node))) return false
  const isInitializer = ts.isVariableDeclaration(parent) || ts.isParameter(parent)
  if (isInitializer && parent.type === undefined) return false
  if (ts.isForInStatement(parent) || ts.isSpreadAssignment(parent)) return true
  const wanted = ts.isExpression(node) ? checker.getContextualType(node) : undefined
  return wanted !== undefined && !types.isNamespace(wanted)
}
