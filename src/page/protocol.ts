import type { ChangeClass } from '../core/classify-change.ts'
import type { PromptField, VariableChange } from '../core/compare.ts'
import type { ListedField } from '../core/drift.ts'
import type { Lint } from '../core/lint.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { LikelyRename } from '../core/rename.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** The path of the page of a workspace, below the base of the dev server or of `prompts ui`. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** The path of the page in an app with one workspace. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

/** The endpoints of the page, relative to {@link PAGE_PATH}. All of them use GET. */
export const API = {
  /** {@link PageState} */
  state: 'api/state',
  /** {@link ServiceView}; `?fresh` ignores a recent answer. */
  service: 'api/service',
  /** {@link UsesView}; without a dev server this type-checks the app, which may take seconds. */
  uses: 'api/uses',
  /** {@link ComparisonView}; `?slug=…&with=…`; `&fresh` ignores recent reads. */
  compare: 'api/compare',
  /** Server-sent events named {@link CHANGED}; the data is one of {@link Changed}. */
  events: 'api/events',
} as const

/** The name of the only server-sent event. */
export const CHANGED = 'changed'

/** What has changed. */
export type Changed = 'lock' | 'uses'

/** An error without anything that could contain a key. */
export interface ErrorView {
  /** A code of the error catalogue. */
  readonly code: string
  readonly why: string
  readonly fix: string
}

/** Everything that the page shows of a project. */
export interface PageState {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly environment: Environment
  /** Path of the lock, from the project's folder. */
  readonly lockPath: string
  readonly lock: LockView
  readonly uses: UsesView
  /** URL prefix that opens a file in the editor; `null` without a dev server. */
  readonly editor: string | null
  readonly service: ServiceView
  /**
   * The environment variable to set to the key of the other environment, to compare live with
   * staging; `null` if that key is set.
   */
  readonly missingKey: string | null
}

/** The prompts of the lock, or the error of reading it. */
export type LockView =
  | { readonly kind: 'read'; readonly prompts: readonly PromptView[] }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** One pinned prompt. Its texts are untrusted: show them as text nodes only. */
export interface PromptView extends PinnedPrompt {
  /** The name in `prompts.…`; `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
  /** The separator of system and user in `source`; `null` if `source` is not the two joined. */
  readonly join: string | null
  readonly integrity: string
  /** In order of first appearance. */
  readonly variables: readonly string[]
  /** The first lints; {@link lintCount} counts all. */
  readonly lints: readonly Lint[]
  readonly lintCount: number
  /** Length of system and user text, in Unicode characters. */
  readonly characters: number
  /** The result of a comparison with the service; `null` without one since the last lock change. */
  readonly change: ComparisonClass | null
}

/** The uses of prompts in the app. */
export type UsesView =
  /** Not analysed yet. */
  | { readonly kind: 'pending' }
  /** The modules that a dev server has loaded so far. */
  | { readonly kind: 'loaded'; readonly modules: readonly UseView[] }
  /** All code of the app, analysed by its types. */
  | { readonly kind: 'analysed'; readonly modules: readonly UseView[] }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** A module that imports prompts. */
export interface UseView {
  /** Path relative to the project's folder, with forward slashes. */
  readonly file: string
  /** Absolute, for the editor. */
  readonly path: string
  /** Where the module runs; `null` if unknown. */
  readonly side: 'client' | 'server' | null
  /** The lines that use each prompt, counted from 1, by slug. */
  readonly mentions: Readonly<Record<string, readonly number[]>>
  /** The lines that pass all prompts on together, so any of them may be used. */
  readonly escapes: readonly number[]
}

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
      readonly drift: readonly DriftView[]
      /** Prompts whose staging draft may have changed under the same label. */
      readonly drafts: readonly string[]
    }

/** The difference of one prompt between the service's list and the lock. */
export interface DriftView {
  readonly slug: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly fields: readonly ListedField[]
  /** The version that is served now; `null` for a removed prompt. */
  readonly version: string | null
}

/** What a change means for the app; `same` if nothing changed. */
export type ComparisonClass = ChangeClass | 'same'

/** What to compare: the lock with the service, or live with staging. */
export type CompareWith = 'service' | 'staging'

/** The comparison of one prompt. */
export type ComparisonView =
  | { readonly kind: 'error'; readonly error: ErrorView }
  | {
      readonly kind: 'compared'
      readonly names: { readonly before: string; readonly after: string }
      /** `null` if that side has no such prompt. */
      readonly before: PinnedPrompt | null
      readonly after: PinnedPrompt | null
      readonly class: ComparisonClass
      readonly fields: readonly PromptField[]
      readonly variables: VariableChange & { readonly renamed: LikelyRename | null }
      /** `null` if the change can't break a call, or was not checked. */
      readonly impact: ImpactView | null
    }

/** What would fail in the app, or the error of finding out. */
export type ImpactView =
  | { readonly kind: 'error'; readonly error: ErrorView }
  | { readonly kind: 'found'; readonly places: readonly BrokenPlace[] }

/** A place in the app that a change breaks. */
export interface BrokenPlace {
  /** Path relative to the project's folder, with forward slashes. */
  readonly file: string
  /** Absolute, for the editor. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}
