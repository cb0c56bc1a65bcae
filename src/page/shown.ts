/** What a document is drawn from, as values of `--json` wherever these have them. */
import type { ComparedRow } from '../core/change-row.ts'
import { type ImpactFinding, usedBy } from '../core/impact.ts'
import type { Environment, PartId, PinnedPrompt } from '../core/prompt.ts'
import type { ImpactReport } from '../judge/analyse-impact.ts'
import type { PromptsError } from '../errors/prompts-error.ts'
import type { UsageReport, UsageSite } from '../judge/analyse-usage.ts'
import type { DriftReport } from '../features/diff/drift.ts'
import type { History } from '../features/log/read-history.ts'
import type { Place } from './addresses.ts'

/** An error without anything that could contain a key. */
export type ErrorView = Pick<PromptsError, 'code' | 'why' | 'fix'>

/** A value, or why there is none. */
export type Known<Value> =
  | (Value & { readonly error?: undefined })
  | ({ readonly [Name in keyof Value]?: undefined } & { readonly error: ErrorView })

/** Everything that is known of a project; what is not known yet is left out. */
export interface Shown {
  /** Path of the lock, from the app's folder. */
  readonly lockPath: string
  /** Whether the page may write, as the option `page` says. */
  readonly canWrite: boolean
  /** Why the lock can't be read; without it, it can. */
  readonly lockError?: ErrorView
  /** The hash of the lock: whoever acts on it names it. */
  readonly base?: string | undefined
  /** The view that the app gets. */
  readonly environment?: Environment
  /** Empty if the lock can't be read. */
  readonly prompts: readonly ListedPrompt[]
  readonly changes?: Known<Compared> | undefined
  readonly uses?:
    | Known<Pick<UsageReport, 'escapes'> & { readonly sites: readonly UsageSite[] }>
    | undefined
  /** What the changes break with which the code can be checked. */
  readonly impact?: Known<Pick<ImpactReport, 'findings'>> | undefined
  /** The code that does not compile with the lock. */
  readonly broken?: Known<Pick<ImpactReport, 'findings'>> | undefined
  /** The prompts of which an edit of the app takes the update. */
  readonly fixes?: Known<{ readonly slugs: readonly string[] }> | undefined
  /** Whether the code is being analysed. */
  readonly isAnalysing: boolean
}

/** An entry of the lock: the live part, or that of staging if it is the only one. */
export interface ListedPrompt extends PinnedPrompt {
  /** The line of the lock with the slug, counted from 1; `null` if another tool joined its lines. */
  readonly lockLine: number | null
  /** The staging part beside the live one. */
  readonly staging: PinnedPrompt | null
}

/** A change that waits. */
export interface PageRow extends ComparedRow {
  /** What forms send for it: its part, both labels and a hash of its texts. */
  readonly name: string
}

/** The differences between the lock and the service's list. */
export interface Compared extends Pick<DriftReport, 'held' | 'kept'> {
  readonly rows: readonly PageRow[]
  /** The time of the list, in milliseconds since 1970. */
  readonly checkedAt: number
}

/** Whether the texts of a change were read. */
export function isRead({ effects }: ComparedRow): boolean {
  return !effects.some(({ kind }) => kind === 'unread')
}

/** Whether the code can be checked with a change: its text was read, or it only adds a name that no code uses yet. */
export function canCheck(row: ComparedRow, uses: Shown['uses']): boolean {
  return isRead(row) || (row.kind === 'added' && !mayUse(uses)(row))
}

/** Returns whether code uses a prompt, or may: any, as long as the uses are not known. */
export function mayUse(uses: Shown['uses']): ReturnType<typeof usedBy> {
  return uses?.sites ? usedBy(uses) : () => true
}

/** The commits that changed a prompt, newest first. */
export interface Versions extends History {
  readonly chosen?: {
    readonly commit: string
    /** What it changed. */
    readonly rows: readonly ComparedRow[]
    /** What restoring its version changes in the lock. */
    readonly back: readonly ComparedRow[]
  }
}

/**
 * What forms can ask for: `plan` shows the edits of the app for a change, which `fix` writes; `anyway` pins what
 * breaks lines; `rebase` goes on with what was typed, on the lock as it is now.
 */
export const READS = ['list', 'read', 'plan', 'preview', 'rebase'] as const
export const WRITES = [
  'take',
  'fix',
  'hold',
  'unhold',
  'edit',
  'anyway',
  'restore',
  'undo',
] as const

export type Act = (typeof READS)[number] | (typeof WRITES)[number]

/** What came of an act, which the address behind it shows. */
export interface Notice {
  /** Sentences with code between backticks; may contain text of the service. */
  readonly texts: readonly string[]
  /** Why nothing was done; without it, it was. */
  readonly error?: ErrorView | undefined
}

/** What can follow an act that has written nothing. */
export interface Follow {
  readonly of: PartId
  /** The hash of the lock that it is for. */
  readonly base: string | undefined
  /** The lines that a text breaks, or that were not checked: it is pinned anyway. */
  readonly findings?: readonly ImpactFinding[]
  /** The edits of the app that a fix writes. */
  readonly edits?: readonly ShownEdit[]
}

interface ShownEdit {
  /** From the app's folder. */
  readonly file: string
  readonly before: string
  readonly after: string
}

/** The fields of a form by name, as browsers send them: the texts of a prompt, a reason, values of variables. */
export type Typed = ReadonlyMap<string, string>

/** Everything that a document is drawn from. */
export interface View extends Shown {
  /** `undefined` for an address that leads nowhere. */
  readonly place: Place | undefined
  readonly query: URLSearchParams
  /** That of a place in the lock. */
  readonly prompt?: ListedPrompt | undefined
  readonly versions?: Known<Versions> | undefined
  readonly outcome?: Notice | undefined
  readonly follow?: Follow | undefined
  /** Whether the last write of this window can be undone, since the lock is as it was written. */
  readonly canUndo?: boolean
  /** In the answer to a form, which is not drawn again by itself. */
  readonly typed?: Typed | undefined
  /** What has changed of the prompt since the form was drawn, if the lock is another one. */
  readonly moved?: readonly ComparedRow[] | 'unknown' | undefined
}
