import { ts } from '../../analysis/app/compiler.ts'
import { partsOf } from './rewrite-context.ts'

/**
 * Whether code can be left out or run twice without a difference: it calls nothing, waits for nothing
 * and changes nothing. A property counts unless it is declared as an accessor.
 */
export function isPure(checker: ts.TypeChecker, node: ts.Node): boolean {
  if (ts.isTypeNode(node)) return true
  if (!PURE.has(node.kind) || isAccessor(checker.getSymbolAtLocation(node))) return false
  const isPrefix = ts.isPrefixUnaryExpression(node)
  if (isPrefix && !PURE.has(node.operator)) return false
  const isConverted = isPrefix || ts.isBinaryExpression(node) || ts.isTemplateSpan(node)
  const isImpure = (child: ts.Node): boolean =>
    !isPure(checker, child) ||
    (isConverted && ts.isExpression(child) && !isPrimitive(checker, child))
  return !ts.forEachChild(node, isImpure)
}

/** Whether a property has a getter or a setter. */
export function isAccessor(property: ts.Symbol | undefined): boolean {
  return ((property?.flags ?? 0) & ts.SymbolFlags.Accessor) !== 0
}

/** Operators on objects can run `toString`. */
function isPrimitive(checker: ts.TypeChecker, node: ts.Expression): boolean {
  return partsOf(checker.getTypeAtLocation(node)).every(({ flags }) => (flags & PRIMITIVE) !== 0)
}

const PRIMITIVE: ts.TypeFlags =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null

/** Nodes and tokens without an effect of their own. */
const PURE: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.ThisKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateExpression,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateSpan,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.NonNullExpression,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ElementAccessExpression,
  ts.SyntaxKind.QuestionDotToken,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.ComputedPropertyName,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.QuestionToken,
  ts.SyntaxKind.ColonToken,
  ts.SyntaxKind.PrefixUnaryExpression,
  ts.SyntaxKind.ExclamationToken,
  ts.SyntaxKind.TildeToken,
  ts.SyntaxKind.BinaryExpression,
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
])
