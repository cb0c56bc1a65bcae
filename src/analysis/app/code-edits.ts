import type { Place } from '../../core/impact.ts'
import { ts } from './compiler.ts'
import { placeAt } from './place.ts'

/** Replaces a range of a file; an insertion if the range is empty. */
export interface CodeEdit {
  readonly source: ts.SourceFile
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The edits of an app by path, sorted. They do not overlap. */
export type CodeEdits = ReadonlyMap<string, readonly CodeEdit[]>

/** Sorts edits by file and position, without duplicates: several tsconfigs may include a file. */
export function editsByFile(edits: readonly CodeEdit[]): CodeEdits {
  const files = new Map<string, CodeEdit[]>()
  const unique = new Map(edits.map((edit) => [`${edit.source.fileName}:${edit.start}`, edit]))
  for (const edit of [...unique.values()].toSorted((a, b) => a.start - b.start)) {
    const { fileName } = edit.source
    files.set(fileName, [...(files.get(fileName) ?? []), edit])
  }
  return files
}

/** Applies sorted edits to the text of their file, or to its beginning. */
export function applyEdits(text: string, edits: readonly CodeEdit[]): string {
  return edits.reduceRight(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  )
}

/** The position in the old text of a position in the new one; the start of an edit inside of it. */
export function toOldPosition(edits: readonly CodeEdit[] = [], position: number): number {
  let shift = 0
  for (const { start, end, text } of edits) {
    if (position < start + shift) break
    if (position < start + shift + text.length) return start
    shift += text.length - (end - start)
  }
  return position - shift
}

/** The place in the app as it is on disk of an offset in an edited file. */
export function oldPlaceAt(
  file: ts.SourceFile,
  offset: number,
  { root, edits }: { readonly root: string; readonly edits: CodeEdits },
): Place {
  const ofFile = edits.get(file.fileName)
  return placeAt(ofFile?.[0]?.source ?? file, toOldPosition(ofFile, offset), root)
}
