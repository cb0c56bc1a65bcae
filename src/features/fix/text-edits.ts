/** Replaces a range of a text; an insertion if the range is empty. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Returns edits without duplicates, by position. */
export function sortEdits<Edit extends TextEdit>(edits: readonly Edit[]): Edit[] {
  const unique = new Map(edits.map((edit) => [`${edit.start}:${edit.end}:${edit.text}`, edit]))
  return [...unique.values()].toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Applies sorted edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** The position in the old text of a position in the new one; the start of an edit inside of it. */
export function toOldPosition(edits: readonly TextEdit[], position: number): number {
  let shift = 0
  for (const { start, end, text } of edits) {
    const newStart = start + shift
    if (position < newStart) break
    if (position < newStart + text.length) return start
    shift += text.length - (end - start)
  }
  return position - shift
}
