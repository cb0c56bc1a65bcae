import { ts } from '../../analysis/app/compiler.ts'
import { isPure } from './pure-values.ts'
import { isUntyped, refuse, replace, type RewriteContext } from './rewrite-context.ts'
import type { TextRange } from './text-edits.ts'

/** Drops the argument of a prompt that has no variables any more: `render({ ticket })` → `render()`. */
export function dropArgument(context: RewriteContext, node: ts.CallExpression): void {
  const { old, names } = context
  const last = node.arguments.at(-1)
  if (last === undefined || ts.isSpreadElement(last) || !isUnwanted(context, last)) return
  const wanted = old.getContextualType(last)?.getProperties() ?? []
  const isRemoved = wanted.every(({ name }) => names.get(name)?.has(undefined))
  if (wanted.length === 0 || !isRemoved) return
  if (isPure(old, last)) dropItems(context, [last])
  else refuse(context, last, 'computing the values of removed variables may have an effect')
}

/** Whether the update leaves no parameter for an expression, so that its type is `never` or `any`. */
export function isUnwanted({ now }: RewriteContext, node: ts.Expression): boolean {
  const type = now.getContextualType(node)
  return type !== undefined && isUntyped(type)
}

/** Removes items of a comma-separated list, with their commas and the lines that become empty. */
export function dropItems(context: RewriteContext, items: readonly ts.Node[]): void {
  const [first] = items
  if (first === undefined) return
  const { file } = context
  const lists = first.parent.getChildren(file).map((child) => child.getChildren(file))
  const list = lists.find((children) => children.includes(first)) ?? []
  const isComma = (node: ts.Node | undefined) => node?.kind === ts.SyntaxKind.CommaToken
  const lastKept = list.findLastIndex((node) => !isComma(node) && !items.includes(node))
  for (const item of items) {
    const index = list.indexOf(item)
    const end = (list[index + 1] ?? item).getEnd()
    const range = widen(file.text, { start: item.getStart(file), end }, index > lastKept)
    replace(context, item, '', range)
  }
  // No comma follows the last item, so none may follow the last that is kept.
  const separator = list[lastKept + 1]
  if (separator !== undefined && isComma(separator) && !isComma(list.at(-1)))
    replace(context, first, '', { start: separator.getStart(file), end: separator.getEnd() })
}

/** The range of an item with its line if nothing else is on it, or with the space next to it. */
function widen(text: string, { start, end }: TextRange, isAtEnd: boolean): TextRange {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const before = text.slice(lineStart, start)
  const [after = '', lineEnd] = /^[ \t]*(\r?\n)?/.exec(text.slice(end)) ?? []
  if (before.trim() === '' && lineEnd !== undefined)
    return { start: lineStart, end: end + after.length }
  if (isAtEnd) return { start: lineStart + before.trimEnd().length, end }
  return { start, end: end + after.length - (lineEnd?.length ?? 0) }
}
