import type { Expression, PrivateIdentifier, Super } from 'acorn'
import { getText } from './syntax-node.ts'

/** The text of an expression that only joins texts: `'a' + 'b'`. Bundlers evaluate these. */
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

/** The text that a sum or a template begins with, as far as it is written out. */
export function evaluatePrefix(node: Expression | PrivateIdentifier | Super): string {
  if (node.type === 'BinaryExpression') return evaluateText(node) ?? evaluatePrefix(node.left)
  return (node.type === 'TemplateLiteral' ? node.quasis[0]?.value.cooked : getText(node)) ?? ''
}
