/** A file that the setup creates or changes. */
export interface FileChange {
  /** Name in the root. */
  readonly name: string
  readonly kind: 'created' | 'updated'
  /** Its new text. */
  readonly text: string
  /** A short description of the change. */
  readonly what: string
}

/** A step that the user has to do. */
export interface ManualStep {
  readonly what: string
  /** Lines to copy, if any. */
  readonly lines: readonly string[]
}

/** The plan of one part of the setup: a change, a manual step, both or nothing. */
export interface PlannedPart {
  readonly change?: FileChange
  readonly manual?: ManualStep
}
