import type { Expression, PrivateIdentifier, Super } from 'acorn'
import { textOf } from './syntax-node.ts'

/** The text of an expression that only joins texts: `'a' + 'b'`. Bundlers evaluate these. */
export function joinedText(node: Expression | PrivateIdentifier | Super): string | undefined {
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    return joined([node.left, node.right].map(joinedText))
  }
  if (node.type !== 'TemplateLiteral') return textOf(node)
  return joined(
    node.quasis.flatMap(({ value }, index) => {
      const hole = node.expressions[index]
      return hole === undefined ? [value.cooked ?? ''] : [value.cooked ?? '', joinedText(hole)]
    }),
  )
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** The text that a sum or a template begins with, as far as it is written out. */
export function beginningOf(node: Expression | PrivateIdentifier | Super): string {
  if (node.type === 'BinaryExpression') return joinedText(node) ?? beginningOf(node.left)
  return (node.type === 'TemplateLiteral' ? node.quasis[0]?.value.cooked : textOf(node)) ?? ''
}
