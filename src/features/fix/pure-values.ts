import { ts } from '../../analysis/app/compiler.ts'

const PRIMITIVE: ts.TypeFlags =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null

/**
 * Whether an expression can be left out without a change in behavior: it calls nothing, waits for nothing and
 * changes nothing. A property counts unless it is declared as an accessor.
 */
export function isPure(checker: ts.TypeChecker, node: ts.Expression): boolean {
  const pure = (each: ts.Expression): boolean => isPure(checker, each)
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node))
    return true
  if (ts.isBigIntLiteral(node) || CONSTANTS.has(node.kind)) return true
  if (ts.isParenthesizedExpression(node) || isTypeWrapper(node)) return pure(node.expression)
  if (ts.isPropertyAccessExpression(node))
    return pure(node.expression) && !isAccessor(checker, node)
  if (ts.isPrefixUnaryExpression(node))
    return !isIncrement(node) && isPrimitive(checker, node.operand) && pure(node.operand)
  if (ts.isConditionalExpression(node))
    return [node.condition, node.whenTrue, node.whenFalse].every(pure)
  if (ts.isTemplateExpression(node))
    return node.templateSpans.every(
      ({ expression }) => isPrimitive(checker, expression) && pure(expression),
    )
  if (!ts.isBinaryExpression(node) || !OPERATORS.has(node.operatorToken.kind)) return false
  return [node.left, node.right].every((each) => isPrimitive(checker, each) && pure(each))
}

const CONSTANTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.ThisKeyword,
])

const OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
])

/** Whether an expression is another one with a type: `as`, `satisfies` or `!`. */
export function isTypeWrapper(
  node: ts.Node,
): node is ts.AsExpression | ts.SatisfiesExpression | ts.NonNullExpression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node)
}

/** Whether an access may run a getter. */
export function isAccessor(checker: ts.TypeChecker, node: ts.PropertyAccessExpression): boolean {
  return ((checker.getSymbolAtLocation(node.name)?.flags ?? 0) & ts.SymbolFlags.Accessor) !== 0
}

/** Operators on objects can run `toString`. */
function isPrimitive(checker: ts.TypeChecker, node: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(node)
  const parts = type.isUnion() ? type.types : [type]
  return parts.every(({ flags }) => (flags & PRIMITIVE) !== 0)
}

function isIncrement({ operator }: ts.PrefixUnaryExpression): boolean {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken
}
