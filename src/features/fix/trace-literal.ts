import { ts } from '../../analysis/app/compiler.ts'
import type { RewriteContext } from './rewrite-context.ts'

/**
 * Finds the object literal of a constant, if everything that uses the constant is in this file and can
 * follow a new name: reads of its properties, and uses that want the new name.
 */
export function findLiteral(
  { old, file, nodes }: RewriteContext,
  node: ts.Expression,
  isWanted: (use: ts.Expression) => boolean,
): ts.ObjectLiteralExpression | undefined {
  if (!ts.isIdentifier(node)) return undefined
  const symbol = valueSymbol(old, node)
  const [declaration, ...others] = symbol?.declarations ?? []
  if (declaration?.getSourceFile() !== file || others.length > 0) return undefined
  if (!ts.isVariableDeclaration(declaration) || !isLocalConstant(declaration)) return undefined
  const literal = literalOf(declaration.initializer)
  if (literal === undefined || literal.properties.some(ts.isSpreadAssignment)) return undefined
  const uses = nodes
    .filter(ts.isIdentifier)
    .filter((use) => use.text === node.text && valueSymbol(old, use) === symbol)
  const canFollow = uses.every((use) => use === declaration.name || isRead(use) || isWanted(use))
  return canFollow ? literal : undefined
}

/** Whether a variable can't be set or used from elsewhere, and has the type of its value. */
function isLocalConstant(node: ts.VariableDeclaration): boolean {
  return (
    ts.isIdentifier(node.name) &&
    node.type === undefined &&
    (node.parent.flags & ts.NodeFlags.Const) !== 0 &&
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) === 0
  )
}

/** The object literal of an initializer, also with `as const`. */
function literalOf(node: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  if (node === undefined || ts.isObjectLiteralExpression(node)) return node
  const isTransparent =
    ts.isParenthesizedExpression(node) ||
    (ts.isAsExpression(node) && ts.isConstTypeReference(node.type))
  return isTransparent ? literalOf(node.expression) : undefined
}

function valueSymbol(checker: ts.TypeChecker, node: ts.Identifier): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
}

/** Whether a use reads properties by names that are in the code, which are renamed with the literal. */
function isRead(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isElementAccessExpression(parent))
    return parent.expression === node && ts.isStringLiteralLike(parent.argumentExpression)
  return (
    ts.isVariableDeclaration(parent) &&
    parent.initializer === node &&
    ts.isObjectBindingPattern(parent.name) &&
    parent.name.elements.every(({ dotDotDotToken }) => dotDotDotToken === undefined)
  )
}
