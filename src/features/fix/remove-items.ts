import type { ts } from '../../analysis/app/compiler.ts'
import type { TextEdit } from './text-edits.ts'

/**
 * Returns the edits that remove some items of a comma-separated list, with the lines that become empty.
 *
 * @param items - all items of the list
 * @returns `undefined` if a comment is between an item and its comma
 */
export function removeItems(
  file: ts.SourceFile,
  items: readonly ts.Node[],
  removed: ReadonlySet<ts.Node>,
): TextEdit[] | undefined {
  const edits: TextEdit[] = []
  const lastKept = items.findLastIndex((item) => !removed.has(item))
  for (const [index, item] of items.entries()) {
    if (!removed.has(item)) continue
    const comma = commaAfter(file, item)
    const isLast = index === items.length - 1
    if (comma === undefined && !isLast) return undefined
    edits.push(withLine(file.text, item.getStart(file), comma ?? item.getEnd(), index > lastKept))
    if (!isLast || comma !== undefined) continue
    const kept = items[lastKept]
    const separator = kept && commaAfter(file, kept)
    if (kept !== undefined && separator === undefined) return undefined
    if (separator !== undefined) edits.push({ start: separator - 1, end: separator, text: '' })
  }
  return merged(edits)
}

/** Returns the position after the comma that follows an item; `undefined` if none follows directly. */
function commaAfter(file: ts.SourceFile, item: ts.Node): number | undefined {
  const [space = ''] = /^\s*/.exec(file.text.slice(item.getEnd())) ?? []
  const at = item.getEnd() + space.length
  return file.text.charAt(at) === ',' ? at + 1 : undefined
}

/** The range of an item with its line if nothing else is on it, or with the space next to it. */
function withLine(text: string, start: number, end: number, isAtEnd: boolean): TextEdit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const [after = ''] = /^[ \t]*(?:\r?\n)?/.exec(text.slice(end)) ?? []
  const isAlone = text.slice(lineStart, start).trim() === '' && after.endsWith('\n')
  if (isAlone) return { start: lineStart, end: end + after.length, text: '' }
  if (!isAtEnd) return { start, end: end + after.replace(/\r?\n$/, '').length, text: '' }
  const [before = ''] = /[ \t]*$/.exec(text.slice(lineStart, start)) ?? []
  return { start: start - before.length, end, text: '' }
}

/** Joins ranges that touch each other. */
function merged(edits: readonly TextEdit[]): TextEdit[] {
  const result: TextEdit[] = []
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || edit.start > last.end) result.push(edit)
    else result[result.length - 1] = { ...last, end: Math.max(last.end, edit.end) }
  }
  return result
}
