import type { ChangedPrompt } from '../../core/compare.ts'
import type { Place } from '../../analysis/app/place.ts'
import { compareCodePoints } from '../../core/text/order.ts'

/** A change that a pull did not take: the prompt stays as it was pinned. */
export interface SkippedChange {
  readonly change: ChangedPrompt
  /** One line; may hold remote text. */
  readonly reason: string
  /** What in the app needs the pinned prompt, by file and place; empty if that is not known. */
  readonly places: readonly Place[]
}

/** Sorts by code point of the slug. */
export function sortSkipped(skipped: readonly SkippedChange[]): SkippedChange[] {
  return skipped.toSorted((a, b) => compareCodePoints(a.change.slug, b.change.slug))
}
