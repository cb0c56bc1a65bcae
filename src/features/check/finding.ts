import { locateParts } from '../../core/lock/lock-lines.ts'
import type { Environment } from '../../core/prompt.ts'

export type FindingKind =
  | `lock-${'missing' | 'broken' | 'unsorted' | 'unfit'}`
  | `${'declarations' | 'files'}-${'missing' | 'stale'}`
  | `prompt-${'edited' | 'added' | 'removed' | 'updated'}`

/** One problem that a check found. */
export interface Finding {
  readonly kind: FindingKind
  /**
   * `fault`: a build would fail or use wrong prompts. `drift`: something is out of date, and a
   * command updates it.
   */
  readonly severity: 'fault' | 'drift'
  /** The slug of the prompt, as served: sanitize it before printing. */
  readonly slug?: string
  /** Which part of the prompt. */
  readonly environment?: Environment
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** How to fix it. */
  readonly fix: string
  /** Absolute path. */
  readonly file: string
  /** 1-based. */
  readonly line: number
}

/** Completes a finding of the lock with its line: that of a field of its prompt. Default: of the slug. */
export type LocateFinding = (finding: Omit<Finding, 'file' | 'line'>, field?: string) => Finding

/** Finds lines in the text of a lock; 1 for what is not there. */
export function findingLocator(file: string, text: string): LocateFinding {
  const lineOf = locateParts(text)
  return (finding, field) => {
    const { slug = '', environment = 'live' } = finding
    return { ...finding, file, line: lineOf({ slug, environment }, field) ?? 1 }
  }
}
