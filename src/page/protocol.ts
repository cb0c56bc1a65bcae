import type { ChangeClass } from '../core/classify-change.ts'
import type { HeldPrompt, ListedField } from '../core/drift.ts'
import type { Note } from '../core/notes.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** The path of the page of a workspace, below the base of the dev server. */
export function pagePath(workspace: string): string {
  return `/__${workspace}`
}

/** The path of the page in an app with one workspace, and of every page of `prompts ui`. */
export const PAGE_PATH: string = pagePath(DEFAULT_WORKSPACE)

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

/** An answer that there is none. */
export interface ErrorAnswer {
  readonly kind: 'error'
  readonly error: ErrorView
}

/** What a change means for the app; `same` if nothing changed. */
export type ComparisonClass = ChangeClass | 'same'

/** What the page shows of a project, without its prompts. */
export interface PageState {
  /** Name of the workspace in the app. */
  readonly workspace: string
  readonly environment: Environment
  /** Path of the lock, from the project's folder. */
  readonly lockPath: string
  /** The lock, absolute, for the editor. */
  readonly lockFile: string
  readonly lock: LockView
  /**
   * The results of comparisons with the service, by slug. A result is left out once the prompt or its
   * entry in the list has changed.
   */
  readonly changes: Readonly<Record<string, ComparisonClass>>
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

/** The lock, or the error of reading it. The revision changes with the file. */
export type LockView = { readonly kind: 'read'; readonly revision: string } | ErrorAnswer

/** The prompts of the lock; empty if it can't be read. */
export interface PackedList {
  /** Of the lock. */
  readonly revision: string
  readonly rows: readonly PackedPrompt[]
}

/** A prompt without the names of its fields, which would be two fifths of the list. */
export type PackedPrompt = readonly [
  slug: string,
  folder: string,
  model: string,
  version: string,
  variables: readonly string[],
  noteCount: number,
  characters: number,
  held?: PinnedPrompt['held'],
]

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
  readonly noteCount: number
  /** Length of system and user text, in Unicode characters. */
  readonly characters: number
}

/** The answer to the request of one prompt. */
export type PromptReading =
  | { readonly kind: 'read'; readonly prompt: PromptView }
  | { readonly kind: 'missing' }
  | ErrorAnswer

/** The prompts whose system or user text contains a word, in any case. */
export interface TextMatches {
  /** In the order of the lock. */
  readonly slugs: readonly string[]
  /** The text around the word, for the first of them. */
  readonly excerpts: readonly string[]
}

/** One pinned prompt. Its texts are untrusted: show them as text nodes only. */
export interface PromptView extends PinnedPrompt, ListedPrompt {
  /** The name in `prompts.…`; `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
  /** The separator of system and user in `source`; `null` if `source` is not the two joined. */
  readonly join: string | null
  readonly integrity: string
  /** The line of the lock with the slug, counted from 1; `null` if another tool joined its lines. */
  readonly lockLine: number | null
  /** The first of them. */
  readonly notes: readonly Note[]
}

/** The uses of prompts in the app. */
export type UsesView =
  /** Not analysed yet. */
  | { readonly kind: 'pending' }
  /** All code of the app, analysed by its types. */
  | { readonly kind: 'analysed'; readonly modules: readonly UseView[] }
  | ErrorAnswer

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
