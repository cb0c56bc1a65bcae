import { ts } from '../../analysis/app/compiler.ts'
import { isTypeWrapper } from './pure-values.ts'
import type { RewriteContext } from './rewrite-context.ts'

/**
 * Finds the object literal of a constant, if everything that uses the constant is in this file and can
 * follow a new name: reads of its properties, and uses that want the new name.
 */
export function findLiteral(
  { old, file }: RewriteContext,
  node: ts.Expression,
  isWanted: (use: ts.Expression) => boolean,
): ts.ObjectLiteralExpression | undefined {
  if (!ts.isIdentifier(node)) return undefined
  const symbol = valueSymbol(old, node)
  const [declaration, ...others] = symbol?.declarations ?? []
  if (symbol === undefined || declaration === undefined || others.length > 0) return undefined
  if (!isLocalConstant(declaration) || declaration.getSourceFile() !== file) return undefined
  const literal = literalOf(declaration.initializer)
  if (literal === undefined || literal.properties.some(ts.isSpreadAssignment)) return undefined
  const uses = usesOf(file, old, symbol).filter((use) => use !== declaration.name)
  return uses.every((use) => isRead(use) || isWanted(use)) ? literal : undefined
}

function isLocalConstant(
  node: ts.Declaration,
): node is ts.VariableDeclaration & { readonly name: ts.Identifier } {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return false
  if (node.type !== undefined || (node.parent.flags & ts.NodeFlags.Const) === 0) return false
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) === 0
}

/** The object literal of an initializer, also with `as const`. */
function literalOf(node: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  if (node === undefined || ts.isObjectLiteralExpression(node)) return node
  const isTransparent =
    ts.isParenthesizedExpression(node) ||
    (ts.isAsExpression(node) && ts.isConstTypeReference(node.type))
  return isTransparent ? literalOf(node.expression) : undefined
}

function usesOf(file: ts.SourceFile, checker: ts.TypeChecker, symbol: ts.Symbol): ts.Identifier[] {
  const uses: ts.Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === symbol.name && valueSymbol(checker, node) === symbol)
      uses.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return uses
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
  if (ts.isParenthesizedExpression(parent) || isTypeWrapper(parent)) return false
  return (
    ts.isVariableDeclaration(parent) &&
    parent.initializer === node &&
    ts.isObjectBindingPattern(parent.name) &&
    parent.name.elements.every(({ dotDotDotToken }) => dotDotDotToken === undefined)
  )
}
