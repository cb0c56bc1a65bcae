import { type EntryLines, locateEntries } from '../../core/lock/lock-lines.ts'

/** The kinds of findings. */
export type FindingKind =
  | 'lock-missing'
  | 'lock-broken'
  | 'lock-unsorted'
  | 'lock-unfit'
  | 'prompt-edited'
  | 'declarations-missing'
  | 'declarations-stale'
  | 'files-missing'
  | 'files-stale'
  | 'prompt-added'
  | 'prompt-removed'
  | 'prompt-updated'

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
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** How to fix it. */
  readonly fix: string
  /** Absolute path. */
  readonly file: string
  /** 1-based. */
  readonly line: number
}

/** A position in the lock. */
export interface LockPosition {
  readonly slug?: string
  /** The field of the prompt. Default: the slug. */
  readonly field?: string
}

/** Creates a function that finds the line of a position in the lock; 1 if there is none. */
export function lineFinder(text: string): (place: LockPosition) => number {
  let entries: Map<string, EntryLines> | undefined
  return ({ slug, field = 'slug' }) => {
    if (slug === undefined) return 1
    entries ??= locateEntries(text)
    const found = entries.get(slug)
    return found?.fields.get(field) ?? found?.entry ?? 1
  }
}
