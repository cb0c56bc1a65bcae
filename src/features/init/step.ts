/** A file that the setup makes or changes. */
export interface FileChange {
  /** Name in the project's folder. */
  readonly name: string
  readonly kind: 'created' | 'updated'
  /** Its whole new text. */
  readonly text: string
  /** What is new in it, in a few words. */
  readonly what: string
}

/** Something that a person has to do. */
export interface ManualStep {
  readonly what: string
  /** Lines to be copied; often none. */
  readonly lines: readonly string[]
}

/** What one part of the setup comes to: a change, a step by hand, or nothing. */
export interface PlannedPart {
  readonly change?: FileChange
  readonly manual?: ManualStep
}
