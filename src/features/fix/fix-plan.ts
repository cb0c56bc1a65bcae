import type { Place } from '../../analysis/app/place.ts'
import type { FileEdit } from '../../fs/edit-files.ts'
import type { SkippedChange } from '../pull/skipped-change.ts'

/** A rename in the service, confirmed by a person. */
export type ConfirmedRename =
  | { readonly kind: 'prompt'; readonly from: string; readonly to: string }
  /** `slug` is that of the new version. */
  | {
      readonly kind: 'variable'
      readonly slug: string
      readonly from: string
      readonly to: string
    }

/** What a fix may do. */
export interface FixRequest {
  readonly renames: readonly ConfirmedRename[]
  /** Also edit files that git does not know as clean. Default: false. */
  readonly allowDirty?: boolean | undefined
}

/** A file that a fix edits. */
export interface FixedFile extends FileEdit {
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** The places of the edits in the old text, in order. */
  readonly places: readonly Place[]
}

/** What a fix does: with these edits and without the skipped changes, the app compiles. */
export interface FixPlan {
  /** Sorted by path. */
  readonly files: readonly FixedFile[]
  /** The changes that the app does not survive, by code point of the slug. */
  readonly skipped: readonly SkippedChange[]
}
