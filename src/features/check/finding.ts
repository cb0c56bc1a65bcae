import { type EntryLines, locateEntries } from '../../core/lock/lock-lines.ts'

/** What a check can find. */
export type FindingKind =
  | 'lock-missing'
  | 'lock-broken'
  | 'lock-unsorted'
  | 'lock-unfit'
  | 'declarations-missing'
  | 'declarations-stale'
  | 'files-missing'
  | 'files-stale'
  | 'prompt-added'
  | 'prompt-removed'
  | 'prompt-changed'

/** Something that is not as it should be. */
export interface Finding {
  readonly kind: FindingKind
  /** `fault`: a build would fail or lie. `drift`: something else moved on, and a pull follows. */
  readonly severity: 'fault' | 'drift'
  /** The prompt that it is about, as served: sanitize it before showing. */
  readonly slug?: string
  /** Sanitized; line ends are our own. */
  readonly message: string
  /** What fixes it. */
  readonly fix: string
  /** Absolute path. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** Where in the lock a finding points to. */
export interface LockPosition {
  readonly slug?: string
  /** The field of the prompt, where its line says more than that of the slug. */
  readonly field?: string
}

/** Gives the line of a place in the lock; the first line where it is not to be found. */
export function lineFinder(text: string): (place: LockPosition) => number {
  let entries: Map<string, EntryLines> | undefined
  return ({ slug, field = 'slug' }) => {
    if (slug === undefined) return 1
    entries ??= locateEntries(text)
    const found = entries.get(slug)
    return found?.fields.get(field) ?? found?.entry ?? 1
  }
}
