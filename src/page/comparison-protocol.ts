import type { ChangeClass, ChangedParts } from '../core/classify-change.ts'
import type { PinnedPrompt } from '../core/prompt.ts'
import type { ComparisonClass, ErrorAnswer } from './protocol.ts'

/** What to compare: the lock with the service, or live with staging. */
export type CompareWith = 'service' | 'staging'

/** Two sides of one prompt. */
export interface PromptDifference extends ChangedParts {
  /** `null` if that side has no such prompt. */
  readonly before: PinnedPrompt | null
  readonly after: PinnedPrompt | null
  readonly class: ComparisonClass
}

/** The names of the two sides of a comparison, such as `Lock` and `Service`. */
export interface SideNames {
  readonly before: string
  readonly after: string
}

/** The comparison of one prompt. */
export type ComparisonView =
  | ErrorAnswer
  | (PromptDifference & {
      readonly kind: 'compared'
      readonly names: SideNames
      /** `null` if the change can't break a call, or was not checked. */
      readonly impact: ImpactView | null
    })

/**
 * The query of a comparison of all prompts: `with=service` compares the lock with what the service
 * serves, `with=staging` the live lock with staging, `base=<revision>` the lock of a git revision
 * with the lock.
 */
export type ChangesQuery =
  | { readonly kind: CompareWith }
  | { readonly kind: 'revision'; readonly revision: string }

/**
 * Whether the changes may be read from the service: `known` makes no request, `recent` reads them unless
 * that was done in the last minutes, `fresh` reads them again.
 */
export type ReadMode = 'known' | 'recent' | 'fresh'

/** All changes between two snapshots. */
export type ChangesView =
  | ErrorAnswer
  /** Not known without a request: never read, or changed since. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'compared'
      readonly names: SideNames
      /** The number of changes of each class. */
      readonly counts: Readonly<Record<ChangeClass, number>>
      /** The worst first. A large comparison lists only the first ones. */
      readonly changes: readonly ChangeView[]
      /** The single reads that the comparison made, which plans commonly meter. */
      readonly reads: number
      /** The time of the reads, in milliseconds since 1970. */
      readonly readAt: number
    }

/** The change of one prompt. */
export interface ChangeView extends PromptDifference {
  readonly slug: string
}

/** What all changes together break in the app. */
export interface ChangesImpactView {
  /** `null` if no change can break a call. */
  readonly impact: ImpactView | null
  /** What `pull --skip-breaking` would leave out; empty for other comparisons. */
  readonly skipped: readonly SkippedView[]
}

/** A change that a pull with `--skip-breaking` would leave out. */
export interface SkippedView {
  readonly slug: string
  /** One line; may contain remote text. */
  readonly reason: string
}

/** What would fail in the app, or the error of finding out. */
export type ImpactView =
  | ErrorAnswer
  | { readonly kind: 'found'; readonly places: readonly BrokenPlace[] }

/** A place in the app that a change breaks. */
export interface BrokenPlace {
  /** Path relative to the project's folder, with forward slashes. */
  readonly file: string
  /** Absolute, for the editor. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** The prompt that causes it; `null` if it is unknown. */
  readonly slug: string | null
  readonly reason: string
}
