import type { EditedCode } from '../../analysis/app/check-part.ts'
import { applyEdits, type TextEdit, toOldPosition } from './text-edits.ts'

/** The edits of one step, by the name that the compiler uses for a file. */
export interface EditStep {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>
  /** The texts before the step of the files that it edits. */
  readonly texts: ReadonlyMap<string, string>
}

/** Combines steps. Each edits the texts of the previous one. */
export function editedCode(steps: readonly EditStep[]): EditedCode {
  const texts = new Map(
    steps.flatMap((step) =>
      [...step.edits].map(([path, edits]) => [path, applyEdits(step.texts.get(path) ?? '', edits)]),
    ),
  )
  const toOld = (path: string, position: number): number =>
    steps.toReversed().reduce((at, { edits }) => toOldPosition(edits.get(path) ?? [], at), position)
  return {
    texts,
    toOldPosition: toOld,
    toOldPlace(path, position) {
      const first = steps.find((step) => step.texts.has(path))?.texts.get(path)
      return first === undefined ? undefined : placeIn(first, toOld(path, position))
    },
  }
}

/** The line and column of a position, counted from 1. */
function placeIn(text: string, position: number): { line: number; column: number } {
  const lines = text.slice(0, position).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
