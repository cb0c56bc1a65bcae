import type { ChangeClass } from '../core/classify-change.ts'
import type { PromptField, VariableChange } from '../core/compare.ts'
import type { ListedField } from '../core/drift.ts'
import type { Lint } from '../core/lint.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { LikelyRename } from '../core/rename.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** Where the page of a workspace is: below the base of the dev server, and of `prompts ui`. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** Where the page is in an app of one workspace. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

/** What the page asks for, relative to {@link PAGE_PATH}. All of it is read with GET. */
export const API = {
  /** {@link PageState} */
  state: 'api/state',
  /** {@link ServiceView}; `?fresh` asks the service even when it was asked just now. */
  service: 'api/service',
  /** {@link UsesView}; without a dev server this type-checks the app, which may take seconds. */
  uses: 'api/uses',
  /** {@link ComparisonView}; `?slug=…&with=…`; `&fresh` reads what was read just now again. */
  compare: 'api/compare',
  /** Server-sent events named {@link CHANGED}; the data is one of {@link Changed}. */
  events: 'api/events',
} as const

/** The name of the one server-sent event. */
export const CHANGED = 'changed'

/** What there is something new of. */
export type Changed = 'lock' | 'uses'

/** What went wrong, without anything that could hold a key. */
export interface ErrorView {
  /** A code of the error catalogue. */
  readonly code: string
  readonly why: string
  readonly fix: string
}

/** All that the page shows of a project. */
export interface PageState {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly environment: Environment
  /** Path of the lock, from the project's folder. */
  readonly lockPath: string
  readonly lock: LockView
  readonly uses: UsesView
  /** What a file's path is put behind to open it in the editor; `null` without a dev server. */
  readonly editor: string | null
  readonly service: ServiceView
  /**
   * The variable that has to hold the key of the other environment to compare live with staging;
   * `null` if that key is there.
   */
  readonly missingKey: string | null
}

/** The prompts of the lock, or why there are none. */
export type LockView =
  | { readonly kind: 'read'; readonly prompts: readonly PromptView[] }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** One pinned prompt. Texts are as served: hostile until they are text nodes. */
export interface PromptView extends PinnedPrompt {
  /** The name in `prompts.…`; `null` where only `prompts[slug]` reaches it. */
  readonly identifier: string | null
  /** What joins system and user; `null` where `source` is no join of the two. */
  readonly join: string | null
  readonly integrity: string
  /** By first appearance. */
  readonly variables: readonly string[]
  /** The first of them; {@link lintCount} counts all. */
  readonly lints: readonly Lint[]
  readonly lintCount: number
  /** Length of system and user text, in Unicode characters. */
  readonly characters: number
  /** What a comparison with the service has found, as long as the lock stays as it was then. */
  readonly change: ComparisonClass | null
}

/** Who uses prompts in the app. */
export type UsesView =
  /** Not looked for yet. */
  | { readonly kind: 'pending' }
  /** The modules that a dev server has loaded so far. */
  | { readonly kind: 'loaded'; readonly modules: readonly UseView[] }
  /** All code of the app, by its types. */
  | { readonly kind: 'analysed'; readonly modules: readonly UseView[] }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** A module that imports prompts. */
export interface UseView {
  /** Path from the project's folder, with forward slashes. */
  readonly file: string
  /** Absolute, for the editor. */
  readonly path: string
  /** Where it runs; `null` if that is not known. */
  readonly side: 'client' | 'server' | null
  /** The lines that mention each prompt, counted from 1, by slug. */
  readonly mentions: Readonly<Record<string, readonly number[]>>
  /** The lines from which all prompts go on together: each may be used behind them. */
  readonly escapes: readonly number[]
}

/** What is known of the service. Times are milliseconds since 1970. */
export type ServiceView =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'off'; readonly error: ErrorView }
  | { readonly kind: 'failed'; readonly checkedAt: number; readonly error: ErrorView }
  | {
      readonly kind: 'reached'
      readonly checkedAt: number
      readonly address: string
      /** In the service's own words. */
      readonly planStatus: string
      readonly drift: readonly DriftView[]
      /** Prompts whose staging draft may have been rewritten under its label. */
      readonly drafts: readonly string[]
    }

/** How the service's list differs from the lock in one prompt. */
export interface DriftView {
  readonly slug: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly fields: readonly ListedField[]
  /** The label that is served now; `null` for a removed prompt. */
  readonly version: string | null
}

/** What a change means to the app; `same` where there is none. */
export type ComparisonClass = ChangeClass | 'same'

/** What to hold against each other: the lock and what is served now, or live and staging. */
export type CompareWith = 'service' | 'staging'

/** One prompt on two sides. */
export type ComparisonView =
  | { readonly kind: 'error'; readonly error: ErrorView }
  | {
      readonly kind: 'compared'
      readonly names: { readonly before: string; readonly after: string }
      /** `null` where that side has no such prompt. */
      readonly before: PinnedPrompt | null
      readonly after: PinnedPrompt | null
      readonly class: ComparisonClass
      readonly fields: readonly PromptField[]
      readonly variables: VariableChange & { readonly renamed: LikelyRename | null }
      /** `null` where the change can't break a call, or nobody looked. */
      readonly impact: ImpactView | null
    }

/** What would fail in the app, or why that could not be found out. */
export type ImpactView =
  | { readonly kind: 'error'; readonly error: ErrorView }
  | { readonly kind: 'found'; readonly places: readonly BrokenPlace[] }

/** A place in the app that a change breaks. */
export interface BrokenPlace {
  /** From the project's folder, with forward slashes. */
  readonly file: string
  /** Absolute, for the editor. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}
