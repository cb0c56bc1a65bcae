import type { PromptChange } from '../../core/compare.ts'
import type { Place } from '../../analysis/app/analyse-usage.ts'

/** A change that is one. */
export type ChangedPrompt = Exclude<PromptChange, { kind: 'unchanged' }>

/** A change that a pull did not take: the prompt stays as it was pinned. */
export interface SkippedChange {
  readonly change: ChangedPrompt
  /** One line; may hold remote text. */
  readonly reason: string
  /** What in the app needs the pinned prompt, by file and place; empty if that is not known. */
  readonly places: readonly Place[]
}
