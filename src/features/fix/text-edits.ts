/** A range of a text. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** Replaces a range of a text; an insertion if the range is empty. */
export interface TextEdit extends TextRange {
  readonly text: string
}

/** Returns edits without duplicates, by position. */
export function sortEdits<Edit extends TextEdit>(edits: readonly Edit[]): Edit[] {
  const unique = new Map(edits.map((edit) => [`${edit.start}:${edit.end}:${edit.text}`, edit]))
  return [...unique.values()].toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Returns the first of sorted edits that overlaps with the previous one. */
export function findOverlap<Edit extends TextEdit>(edits: readonly Edit[]): Edit | undefined {
  return edits.find(({ start, end }, index) => {
    const previous = edits[index - 1]
    if (previous === undefined) return false
    const isSameInsertion = start === end && previous.start === previous.end
    return start < previous.end || (isSameInsertion && start === previous.start)
  })
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

/**
 * Returns the position in the old text of a position in the new one. Inside of a replacement, that is
 * where the edit begins.
 */
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
