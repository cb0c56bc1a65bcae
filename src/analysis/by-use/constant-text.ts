import type { Expression, PrivateIdentifier, Super } from 'acorn'
import { getText } from './syntax-node.ts'

/** Returns the text of an expression that only joins constant texts: `'a' + 'b'`. Bundlers evaluate these. */
export function evaluateText(node: Expression | PrivateIdentifier | Super): string | undefined {
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    return joinParts([node.left, node.right].map(evaluateText))
  }
  if (node.type !== 'TemplateLiteral') return getText(node)
  return joinParts(
    node.quasis.flatMap(({ value }, index) => {
      const hole = node.expressions[index]
      return hole === undefined ? [value.cooked ?? ''] : [value.cooked ?? '', evaluateText(hole)]
    }),
  )
}

function joinParts(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** Returns the constant text at the beginning of a concatenation or template. */
export function evaluatePrefix(node: Expression | PrivateIdentifier | Super): string {
  if (node.type === 'BinaryExpression') return evaluateText(node) ?? evaluatePrefix(node.left)
  return (node.type === 'TemplateLiteral' ? node.quasis[0]?.value.cooked : getText(node)) ?? ''
}
