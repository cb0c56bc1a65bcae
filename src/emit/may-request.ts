import { isNode, nameOf, quasisOf, type SyntaxNode, textOf } from './syntax-node.ts'

/**
 * Whether a node loads a module by a name that is put together, and may come to `id`. esbuild,
 * Rolldown and webpack work out `import('virtual:' + 'prompts')` (measured), some of them through
 * constants too, so what can't be told for certain counts.
 */
export function mayRequest(node: SyntaxNode, id: string): boolean {
  const request = requestOf(node)
  return isNode(request) && textOf(request) === undefined && id.startsWith(beginningOf(request))
}

/** What `import()` or `require()` is asked for. */
function requestOf({ type, source, callee, arguments: given }: SyntaxNode): unknown {
  if (type === 'ImportExpression') return source
  return nameOf(callee) === 'require' ? (given as unknown[])[0] : undefined
}

/** The text that a sum or a template begins with, as far as it is written there. */
function beginningOf(node: SyntaxNode): string {
  if (node.type === 'BinaryExpression') return beginningOf(node.left as SyntaxNode)
  return node.type === 'TemplateLiteral' ? quasisOf(node)[0] : (textOf(node) ?? '')
}
