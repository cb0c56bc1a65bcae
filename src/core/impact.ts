import type { Environment } from './prompt.ts'

/** A position in the app. */
export interface Place {
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number
  /** The line as it is on disk; absent where no line is shown, or if the file can't be read. */
  readonly code?: CodeLine
}

/** A line of code with a marked expression. */
export interface CodeLine {
  /** Without indentation; a long line is cut around the expression. */
  readonly text: string
  /** Where the expression begins in it, in UTF-16 code units. */
  readonly start: number
  readonly length: number
}

/** What a pull says about its check of the app. */
export const IMPACT_TEXTS = {
  started: 'Checking what the update breaks',
  failed: (reason: string): string => `The app was not checked for breaking changes: ${reason}`,
  unused: 'No code uses prompts.',
} as const

/**
 * `compile`: TypeScript sees the code with its types, as the app's own compiler does if it checks this file.
 * `unproven`: types do not show which prompt it uses, or whether it works, such as in markup.
 */
export type Certainty = 'compile' | 'unproven'

/** Code in the app that breaks with the new prompts, or an unproven use. */
export interface ImpactFinding extends Place {
  /** The prompt that causes it; `null` if it is unknown. */
  readonly slug: string | null
  /** Which part of it; `null` if both change and it is unknown which one causes it. */
  readonly environment: Environment | null
  /** One line, such as: `render` needs `tone`, added in v23. May contain remote text. */
  readonly reason: string
  readonly kind: Certainty
  /** TypeScript's message with all its lines, or the reason; may contain remote text. */
  readonly message: string
}
