/** What a document shows, as values of `--json` wherever these have them. */
import type { ChangeRow } from '../core/change-row.ts'
import type { PromptChange } from '../core/compare.ts'
import { type ImpactFinding, usedBy } from '../core/impact.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { UsageReport, UsageSite } from '../analysis/app/analyse-usage.ts'
import type { DriftReport } from '../features/diff/drift.ts'
import type { History } from '../features/log/read-history.ts'

/** Everything that is known when a document is drawn; `undefined` stands for what is not known yet. */
export interface Shown {
  /** Path of the lock, from the app's folder. */
  readonly lockPath: string
  /** Whether the page may write, as the option `page` says. */
  readonly canWrite: boolean
  /** Why the lock can't be read; `null` if it can. */
  readonly lockError: ErrorView | null
  /** The view that the app gets; `null` if the lock can't be read. */
  readonly environment: Environment | null
  /** Of the prompts: whoever acts on them names it. */
  readonly hash: string
  /** Empty if the lock can't be read. */
  readonly prompts: readonly ListedPrompt[]
  readonly changes: Known<Compared> | undefined
  readonly uses:
    | Known<Pick<UsageReport, 'escapes'> & { readonly sites: readonly UsageSite[] }>
    | undefined
  /** What the changes that were read break. */
  readonly impact: Known<Findings> | undefined
  /** The code that does not compile with the lock. */
  readonly broken: Known<Findings> | undefined
  /** Whether the code is being analysed. */
  readonly isAnalysing: boolean
}

interface Findings {
  readonly findings: readonly ImpactFinding[]
}

/** An entry of the lock: the live part, or that of staging if it is the only one. */
export interface ListedPrompt extends PinnedPrompt {
  /** The line of the lock with the slug, counted from 1; `null` if another tool joined its lines. */
  readonly lockLine: number | null
  /** The staging part beside the live one. */
  readonly staging: PinnedPrompt | null
}

/** An error without anything that could contain a key. */
export interface ErrorView {
  /** A code of the error catalogue. */
  readonly code: string
  readonly why: string
  readonly fix: string
}

/** A value, or why there is none. */
export type Known<Value> =
  | ({ readonly kind: 'known' } & Value)
  | { readonly kind: 'error'; readonly error: ErrorView }

/** A change with its texts. */
export interface PageRow extends ChangeRow {
  /** `null` until the texts are read. */
  readonly change: PromptChange | null
  /** What forms send for it: its part, both labels and a hash of its texts. */
  readonly name: string
}

/** The differences between the lock and the service's list. */
export interface Compared extends Omit<DriftReport, 'drift'> {
  readonly rows: readonly PageRow[]
  /** The time of the list, in milliseconds since 1970. */
  readonly checkedAt: number
}

/** The rows of a comparison; none as long as it has not succeeded. */
export function rowsOf(changes: Shown['changes']): readonly PageRow[] {
  return changes?.kind === 'known' ? changes.rows : []
}

/** Returns whether code uses a prompt, or may: any, as long as the uses are not known. */
export function mayUse(uses: Shown['uses']): ReturnType<typeof usedBy> {
  return uses?.kind === 'known' ? usedBy(uses) : () => true
}

/** The commits that changed a prompt, newest first, and the rows since the one that is chosen. */
export interface Versions extends History {
  readonly chosen: { readonly commit: string; readonly rows: readonly PageRow[] } | undefined
}

/** What forms can ask for: `plan` shows the edits of the app for a change, which `fix` writes. */
export const READS = ['list', 'read', 'plan', 'preview'] as const
export const WRITES = ['take', 'fix', 'hold', 'release', 'edit', 'restore', 'undo'] as const

export type Act = (typeof READS)[number] | (typeof WRITES)[number]

/** How the app is edited for a change. */
export interface FixView {
  /** Name of the row. */
  readonly row: string
  /** As `--rename` takes them. */
  readonly renames: readonly string[]
  readonly patches: readonly { readonly file: string; readonly patch: string }[]
  /** Why there is no safe edit; `null` if there is one. */
  readonly reason: string | null
}

/** What came of an act. */
export interface Outcome {
  /** Sentences with code between backticks; may contain text of the service. */
  readonly texts: readonly string[]
  /** Why nothing was done; `null` if it was. */
  readonly error: ErrorView | null
  /** Whether this was the last write, and the lock is still as written. */
  readonly canUndo: boolean
}

/** What a person has typed into the form of a prompt; the texts as browsers send them. */
export interface Typed {
  readonly system: string
  readonly user: string
  /** `undefined` keeps the reason that a part has. */
  readonly reason: string | undefined
  /** Values of variables, by name. */
  readonly values: ReadonlyMap<string, string>
}
