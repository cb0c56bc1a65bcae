import type { ChangeClass } from '../core/classify-change.ts'
import type { PromptField, VariableChange } from '../core/compare.ts'
import type { HeldPrompt, ListedField } from '../core/drift.ts'
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
  /** {@link PromptReading}; `?slug=…`. */
  prompt: 'api/prompt',
  /** {@link TextMatches}; `?word=…`. */
  search: 'api/search',
  /** {@link ServiceView}; `?fresh` ignores a recent answer. */
  service: 'api/service',
  /** {@link UsesView}; this type-checks the app, which may take seconds. */
  uses: 'api/uses',
  /** {@link ComparisonView}; `?slug=…&with=…`; `&fresh` ignores recent reads. */
  compare: 'api/compare',
  /** {@link ChangesView}; a {@link ChangesQuery}; `&fresh` ignores recent reads. */
  changes: 'api/changes',
  /** {@link ChangesImpactView} of the same changes, which may take seconds; a {@link ChangesQuery}. */
  impact: 'api/impact',
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

/** What the page shows of a project, without the texts of its prompts. */
export interface PageState {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly environment: Environment
  /** Path of the lock, from the project's folder. */
  readonly lockPath: string
  /** The lock, absolute, for the editor. */
  readonly lockFile: string
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
  /** The command that runs a binary of the project: `npx` or that of its package manager. */
  readonly run: string
}

/** The prompts of the lock, or the error of reading it. */
export type LockView =
  | {
      readonly kind: 'read'
      /** Changes with the file of the lock. */
      readonly revision: string
      readonly prompts: readonly ListedPrompt[]
    }
  | { readonly kind: 'error'; readonly error: ErrorView }

/**
 * One pinned prompt without its texts. A lock may have thousands, so this is kept small: the rest is
 * in {@link PromptView}.
 */
export interface ListedPrompt extends Pick<
  PinnedPrompt,
  'slug' | 'folder' | 'model' | 'version' | 'held'
> {
  /** In order of first appearance. */
  readonly variables: readonly string[]
  readonly lintCount: number
  /** Length of system and user text, in Unicode characters. */
  readonly characters: number
  /** The result of a comparison with the service; without one since the last change, missing. */
  readonly change?: ComparisonClass
}

/** The answer to the request of one prompt. */
export type PromptReading =
  | { readonly kind: 'read'; readonly prompt: PromptView }
  | { readonly kind: 'missing' }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** The prompts whose system or user text contains a word, in any case. */
export interface TextMatches {
  /** In the order of the lock. */
  readonly slugs: readonly string[]
  /** The text around the word, for the first of them. */
  readonly excerpts: readonly string[]
}

/** One pinned prompt. Its texts are untrusted: show them as text nodes only. */
export interface PromptView extends PinnedPrompt {
  /** The name in `prompts.…`; `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
  /** The separator of system and user in `source`; `null` if `source` is not the two joined. */
  readonly join: string | null
  readonly integrity: string
  /** The line of the lock with the slug, counted from 1; `null` if another tool joined its lines. */
  readonly lockLine: number | null
  /** In order of first appearance. */
  readonly variables: readonly string[]
  /** The first lints; {@link lintCount} counts all. */
  readonly lints: readonly Lint[]
  readonly lintCount: number
  /** Length of system and user text, in Unicode characters. */
  readonly characters: number
}

/** The uses of prompts in the app. */
export type UsesView =
  /** Not analysed yet. */
  | { readonly kind: 'pending' }
  /** All code of the app, analysed by its types. */
  | { readonly kind: 'analysed'; readonly modules: readonly UseView[] }
  | { readonly kind: 'error'; readonly error: ErrorView }

/** A module that imports prompts. */
export interface UseView {
  /** Path relative to the project's folder, with forward slashes. */
  readonly file: string
  /** Absolute, for the editor. */
  readonly path: string
  /** `client` if code for the browser imports the module; `null` if that is not known. */
  readonly side: 'client' | null
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
      /** The held prompts, which are no drift, with the updates that they do not get. */
      readonly held: readonly HeldPrompt[]
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

/** Two sides of one prompt. */
export interface PromptDifference {
  /** `null` if that side has no such prompt. */
  readonly before: PinnedPrompt | null
  readonly after: PinnedPrompt | null
  readonly class: ComparisonClass
  readonly fields: readonly PromptField[]
  readonly variables: VariableChange & { readonly renamed: LikelyRename | null }
}

/** The names of the two sides of a comparison, such as `Lock` and `Service`. */
export interface SideNames {
  readonly before: string
  readonly after: string
}

/** The comparison of one prompt. */
export type ComparisonView =
  | { readonly kind: 'error'; readonly error: ErrorView }
  | (PromptDifference & {
      readonly kind: 'compared'
      readonly names: SideNames
      /** `null` if the change can't break a call, or was not checked. */
      readonly impact: ImpactView | null
    })

/**
 * The query of a comparison of all prompts: `with=service` compares the lock with what the service
 * serves, `with=staging` the live lock with staging, `base=<revision>` the lock of a git revision
 * with the lock.
 */
export type ChangesQuery =
  | { readonly kind: CompareWith }
  | { readonly kind: 'revision'; readonly revision: string }

/** All changes between two snapshots. */
export type ChangesView =
  | { readonly kind: 'error'; readonly error: ErrorView }
  | {
      readonly kind: 'compared'
      readonly names: SideNames
      /** The number of changes of each class. */
      readonly counts: Readonly<Record<ChangeClass, number>>
      /** The worst first. A large comparison lists only the first ones. */
      readonly changes: readonly ChangeView[]
      /** The single reads that the comparison made, which plans commonly meter. */
      readonly reads: number
    }

/** The change of one prompt. */
export interface ChangeView extends PromptDifference {
  readonly slug: string
}

/** What all changes together break in the app. */
export interface ChangesImpactView {
  /** `null` if no change can break a call. */
  readonly impact: ImpactView | null
  /** What `pull --skip-breaking` would leave out; empty for other comparisons. */
  readonly skipped: readonly SkippedView[]
}

/** A change that a pull with `--skip-breaking` would leave out. */
export interface SkippedView {
  readonly slug: string
  /** One line; may contain remote text. */
  readonly reason: string
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
  /** The prompt that causes it; `null` if it is unknown. */
  readonly slug: string | null
  readonly reason: string
}
