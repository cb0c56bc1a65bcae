import type { EditedCode } from '../../analysis/app/check-part.ts'
import { applyEdits, type TextEdit, toOldPosition } from './text-edits.ts'

/** The edits of one step, by the name that the compiler uses for a file. */
export interface EditStep {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>
  /** The texts before the step of the files that it edits. */
  readonly texts: ReadonlyMap<string, string>
}

/** Applies a step: returns the new texts of the files that it edits. */
function applyStep({ edits, texts }: EditStep): Map<string, string> {
  return new Map([...edits].map(([path, list]) => [path, applyEdits(texts.get(path) ?? '', list)]))
}

/** Combines steps. Each edits the texts of the previous one. */
export function editedCode(steps: readonly EditStep[]): EditedCode {
  const texts = new Map(steps.flatMap((step) => [...applyStep(step)]))
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
export function placeIn(text: string, position: number): { line: number; column: number } {
  const lines = text.slice(0, position).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
