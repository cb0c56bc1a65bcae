import { type DiffLine, diffTexts } from '../../features/diff/text-diff.ts'

/** One line of two columns; a side without a line has `undefined`. */
export interface Pair {
  readonly before: DiffLine | undefined
  readonly after: DiffLine | undefined
}

/** The differences of two texts: hunks of lines with the changed words marked. */
export function hunksOf(before: string, after: string): DiffLine[][] {
  return diffTexts(before, after)
}

/** The lines of a hunk in two columns, with removed lines next to added ones. */
export function pairLines(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = (): void => {
    const length = Math.max(removed.length, added.length)
    for (let index = 0; index < length; index++) {
      pairs.push({ before: removed[index], after: added[index] })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line)
    else if (line.kind === 'added') added.push(line)
    else {
      flush()
      pairs.push({ before: line, after: line })
    }
  }
  flush()
  return pairs
}
