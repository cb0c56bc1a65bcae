import type { ChangeRow } from '../core/change-row.ts'
import type { PromptChange } from '../core/compare.ts'
import type { HeldPrompt } from '../core/drift.ts'
import type { ImpactFinding, Place } from '../core/impact.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'
import type { UsageSite } from '../features/usage/usage.ts'

/** The path of the page of a workspace, below the base of the dev server. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** The path of the page in an app with one workspace, and of every page of `prompts ui`. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

/** Where the endpoints are, below the path of the page. */
export const API = 'api/'

/** The path of the server-sent events of the page. */
export const EVENTS = 'api/events'

/** Where `?file=path:line:column` opens in the editor, with POST, in `prompts ui`. */
export const OPEN = 'api/open'

/** The name of the only server-sent event. */
export const CHANGED = 'changed'

/** What has changed. */
export type Changed = 'lock' | 'uses'

/** The answers of the endpoints. Each is at `api/<name>`, below the path of the page, with GET. */
export interface Answers {
  readonly state: PageState
  readonly list: PromptList
  /** `?fresh` ignores a recent answer. */
  readonly service: ServiceView
  /** This type-checks the app, which may take seconds. */
  readonly uses: UsesView
  /** `?with=…` is a {@link Side}, `&base=…` a git revision, `&read=…` a {@link ReadMode}. */
  readonly changes: ChangesView
  /** Of the same changes. This type-checks the app too. */
  readonly impact: ImpactView
}

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

/** What the page shows of a project, without its prompts. */
export interface PageState {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly environment: Environment
  /** The app's folder, absolute. */
  readonly root: string
  /** Path of the lock, from that folder. */
  readonly lockPath: string
  readonly lock: LockView
  readonly service: ServiceView
  /** URL prefix that opens a file in the editor, with POST. */
  readonly editor: string
  /**
   * The environment variable to set to the key of the other environment, to compare with staging;
   * `null` if that key is set.
   */
  readonly missingKey: string | null
  /** Whether the texts of changes may be read without a click: the project pulls at every start. */
  readonly readsAlways: boolean
  /** The command that runs a binary of the project: `npx` or that of its package manager. */
  readonly run: string
}

/** The lock, or the error of reading it. The revision changes with the file. */
export type LockView = { readonly kind: 'read'; readonly revision: string } | ErrorAnswer

/** The prompts of the lock; empty if it can't be read. */
export interface PromptList {
  /** Of the lock. */
  readonly revision: string
  readonly prompts: readonly ListedPrompt[]
}

/** An entry of the lock. Its texts are untrusted: show them as text nodes only. */
export interface ListedPrompt extends PinnedPrompt {
  /** The hash, as the lock has it. */
  readonly integrity: string
  /** The line of the lock with the slug, counted from 1; `null` if another tool joined its lines. */
  readonly lockLine: number | null
  /** The prompt in the test lock, if it differs. */
  readonly staging: PinnedPrompt | null
}

/** The uses of prompts in the app. */
export type UsesView =
  /** Not analysed yet. */
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'analysed'
      readonly sites: readonly UsageSite[]
      /** Where all prompts are passed on together, so that each may be used. */
      readonly escapes: readonly Place[]
    }
  | ErrorAnswer

/** The state of the service. Times are milliseconds since 1970. */
export type ServiceView =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'off'; readonly error: ErrorView }
  | { readonly kind: 'failed'; readonly checkedAt: number; readonly error: ErrorView }
  | {
      readonly kind: 'reached'
      readonly checkedAt: number
      readonly address: string
      /** As reported by the service. */
      readonly planStatus: string
      readonly changes: readonly PageRow[]
      /** The held prompts, with the updates that they do not get. */
      readonly held: readonly HeldPrompt[]
    }

/** What the lock is compared with. */
export type Side = 'service' | 'staging' | 'revision'

/**
 * Which texts may be read from the service, at one metered read each: none, those of prompts that code
 * uses, all, or one by `slug:` and its slug.
 */
export type ReadMode = 'none' | 'used' | 'all' | `slug:${string}`

/** A change with its texts. */
export interface PageRow extends ChangeRow {
  /** `null` until the texts are read. */
  readonly change: PromptChange | null
}

/** All changes between two snapshots. */
export type ChangesView =
  | ErrorAnswer
  | {
      readonly kind: 'compared'
      readonly rows: readonly PageRow[]
      /** The time of the last reads, in milliseconds since 1970; `null` if nothing was read. */
      readonly readAt: number | null
    }

/** What the changes that were read break in the app. */
export type ImpactView =
  | ErrorAnswer
  | { readonly kind: 'checked'; readonly findings: readonly ImpactFinding[] }
