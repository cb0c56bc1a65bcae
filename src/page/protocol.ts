import type { ChangeRow } from '../core/change-row.ts'
import type { PromptChange } from '../core/compare.ts'
import type { HeldPrompt } from '../core/drift.ts'
import type { ImpactFinding } from '../core/impact.ts'
import type { KeptPart } from '../core/next-lock.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { History } from '../features/log/read-history.ts'
import { usedBy } from '../core/used-by.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import type { UsageReport, UsageSite } from '../analysis/app/analyse-usage.ts'

/** The path below the base of a dev server that redirects to the page of a workspace. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** The path for an app with one workspace. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

/** Where the endpoints are, below the URL of the page. */
export const API = 'api/'

/** The path of the server-sent events of the page. */
export const EVENTS = 'api/events'

/** The endpoint that opens `file`, a `path:line:column`, in the editor. */
export const OPEN = 'open'

/** The names of the server-sent events: what has changed. */
export type Changed = 'lock' | 'uses'

/**
 * The answers of the endpoints. Each is at `api/<name>`, with POST and a JSON object of strings, of which
 * `lock` is the {@link PageState.hash} that the window shows.
 */
export interface Answers {
  readonly state: PageState
  /** `read` is a {@link ReadMode}. With `with` of `revision`, the changes since the git revision `base`. */
  readonly changes: ChangesView
  /** Of the changes in the service; with `lock` of the lock as it is. This type-checks the app. */
  readonly impact: ImpactView
  /** This type-checks the app, which may take seconds. */
  readonly uses: UsesView
  /** The edits of the app for the change of a `part`, which is a part's key. This type-checks the app. */
  readonly fix: FixView
  /** Of the prompt `slug`. */
  readonly history: HistoryView
  /** Carries out an {@link Act}. */
  readonly write: WriteView
}

/** The commits that changed a prompt, newest first. */
export type HistoryView = (History & { readonly kind: 'read' }) | ErrorAnswer

/** The endpoint that writes. */
export const WRITE = 'write'

/**
 * What is written, of the `part` that its key names: what was read, also of several `parts` as JSON; the
 * planned fix; a hold with a `reason`; its end; the texts `system` and `user`; the version of the git
 * revision `base`; or the old state of the lock and the edited files.
 */
export type Act = 'take' | 'fix' | 'hold' | 'release' | 'edit' | 'restore' | 'undo'

/** How the app is edited for a change. */
export type FixView =
  | {
      readonly kind: 'planned'
      /** As `--rename` takes them. */
      readonly renames: readonly string[]
      readonly patches: readonly { readonly file: string; readonly patch: string }[]
      /** Why there is no safe edit; `null` if there is one. */
      readonly reason: string | null
    }
  | ErrorAnswer

/** What was written, and what was left because of the app's code. */
export type WriteView =
  | { readonly kind: 'written'; readonly left: readonly ChangeRow[] }
  | ErrorAnswer

/** What a request asks for. Not validated: only the script of the page can ask. */
export type PageQuery = Readonly<Record<string, string>>

/** An error without anything that could contain a key. */
export interface ErrorView {
  /** A code of the error catalogue. */
  readonly code: string
  readonly why: string
  readonly fix: string
}

/** An error instead of an answer. */
export interface ErrorAnswer {
  readonly kind: 'error'
  readonly error: ErrorView
}

/** A project with its prompts. */
export interface PageState {
  /** Name of the workspace in the app. */
  readonly workspace: string
  /** The view that the app gets; `null` if the lock can't be read. */
  readonly environment: Environment | null
  /** The app's folder, absolute. */
  readonly root: string
  /** Path of the lock, from that folder. */
  readonly lockPath: string
  /** Whether the texts of changes may be read without a click: the project pulls at every start. */
  readonly readsAlways: boolean
  /** The command that runs a binary of the project: `npx` or that of its package manager. */
  readonly run: string
  /** Whether the page may write, as the option `page` says. */
  readonly canWrite: boolean
  /** Whether the lock is as this page has written it. */
  readonly canUndo: boolean
  /** Of the prompts: whoever acts on them names it. */
  readonly hash: string
  /** Empty if the lock can't be read. */
  readonly prompts: readonly ListedPrompt[]
  /** Why the lock can't be read; `null` if it can. */
  readonly lockError: ErrorView | null
}

/**
 * An entry of the lock: the live part, or that of staging if it is the only one. Its texts are untrusted:
 * show them as text nodes only.
 */
export interface ListedPrompt extends PinnedPrompt {
  /** The line of the lock with the slug, counted from 1; `null` if another tool joined its lines. */
  readonly lockLine: number | null
  /** The staging part beside the live one. */
  readonly staging: PinnedPrompt | null
}

/** The uses of prompts in the app. */
export type UsesView =
  | (Pick<UsageReport, 'escapes'> & {
      readonly kind: 'analysed'
      readonly sites: readonly UsageSite[]
    })
  | ErrorAnswer

/** Returns whether code uses a prompt, or may: any, as long as the uses are not known. */
export function mayUse(uses: UsesView | undefined): ReturnType<typeof usedBy> {
  return uses?.kind === 'analysed' ? usedBy(uses) : () => true
}

/**
 * What is asked of the service for a comparison: its list, unless that is recent; its list in any case; or
 * texts as well, at one metered read each: of the prompts that code uses, of all, or of one part by its key.
 */
export type ReadMode = 'none' | 'list' | 'used' | 'all' | `part:${string}`

/** A change with its texts. */
export interface PageRow extends ChangeRow {
  /** `null` until the texts are read. */
  readonly change: PromptChange | null
}

/** All changes between two snapshots. */
export type ChangesView =
  /** The project never asks the service by itself. */
  | { readonly kind: 'unasked' }
  | {
      readonly kind: 'compared'
      readonly rows: readonly PageRow[]
      /** `null` for a git revision. */
      readonly service: ServiceView | null
    }
  | ErrorAnswer

/** The rows of a comparison; none as long as it has not succeeded. */
export function rowsOf(changes: ChangesView | undefined): readonly PageRow[] {
  return changes?.kind === 'compared' ? changes.rows : []
}

/** The changes whose texts are read. */
export function readChanges(changes: ChangesView): PromptChange[] {
  return rowsOf(changes).flatMap(({ change }) => change ?? [])
}

/** What the service has told besides changes. */
export interface ServiceView {
  /** The time of its list, in milliseconds since 1970. */
  readonly checkedAt: number
  readonly address: string
  /** As reported by the service. */
  readonly planStatus: string
  /** The held parts, with the updates that they do not get. */
  readonly held: readonly HeldPrompt[]
  /** The parts that no key at hand reads, and other updates that can't be taken. */
  readonly kept: readonly KeptPart[]
}

/** What the changes that were read break in the app. */
export type ImpactView =
  | { readonly kind: 'checked'; readonly findings: readonly ImpactFinding[] }
  | ErrorAnswer
