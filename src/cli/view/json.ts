/** The `--json` that several commands print. That of one command lies with it. */
import type { ChangeRow } from '../../core/change-row.ts'
import { promptVariables } from '../../core/compare.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import type { ImpactFinding, Place } from '../../core/impact.ts'
import type { LostPart } from '../../core/lock/former-lock.ts'
import { type NameCollision, planNames } from '../../core/names.ts'
import {
  type Environment,
  indexParts,
  type Lock,
  partKey,
  type PinnedPrompt,
  type View,
} from '../../core/prompt.ts'
import { type PromptSettings, settingsOf } from '../../core/settings.ts'
import { countCharacters } from '../../core/text/pluralize.ts'
import type { PromptNotes } from '../../core/notes.ts'
import type { PullReport } from '../../plan/pull.ts'

/** What every command prints with `--json` when it fails; `code` is permanent. */
export interface ErrorJson {
  readonly error: {
    /** A code of the error catalogue, or `INTERRUPTED`. */
    readonly code: string
    readonly why: string
    readonly fix: string
    /** Causes that `why` does not mention; empty if there are none. */
    readonly causes: readonly string[]
  }
}

/** A file of the app that a pull edits. */
export interface EditJson {
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** Where the old text is edited. */
  readonly places: readonly Pick<Place, 'line' | 'column'>[]
  /** A unified patch. */
  readonly patch: string
}

/** `prompts pull --json`. */
export interface PullJson extends Omit<PullReport, 'isLiveRead'> {
  /** Notes of prompts with new or changed text. */
  readonly notes: readonly PromptNotes[]
  readonly collisions: readonly NameCollision[]
  /** What a damaged lock had, and nobody can read in it. These versions were read again. */
  readonly lost: readonly Omit<LostPart, 'former'>[]
  /** The view that `virtual:prompts` serves. */
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  /** Of the lock. `declined`: it would break the app, and neither a person nor `--yes` allowed it. */
  readonly outcome: 'written' | 'unchanged' | 'dry-run' | 'declined'
  /** The number of prompts in the lock now. */
  readonly prompts: number
  /** Live before staging; then by broken lines, by use, and by code point of the slug. */
  readonly changes: readonly ChangeRow[]
  readonly unchanged: number
  /** Updates that were not taken, in the same order. */
  readonly skipped: readonly ChangeRow[]
  /** Files of the app that are edited with `--fix`, by path. */
  readonly edits: readonly EditJson[]
  /** The confirmed renames of `--fix`, as values of `--rename`. */
  readonly renames: readonly string[]
  /**
   * Lines of the app that stop compiling or were not checked; `null` if its code could not be analysed. Reasons
   * and messages may hold remote text.
   */
  readonly impact: readonly ImpactFinding[] | null
  /** If the pull was declined without a terminal: the command that writes it anyway. */
  readonly next: readonly string[] | null
  /** Number of retried requests. */
  readonly retries: number
}

/** `prompts hold --json`. */
export interface HoldJson {
  /** Which version of the prompts: live, or `test` for staging. */
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly outcome: PullJson['outcome']
  /** The parts that are held now, or would be with `--dry-run`. */
  readonly held: readonly HeldPrompt[]
}

/** `prompts restore --json` and `prompts edit --json`. */
export interface RestoreJson extends HoldJson, Pick<PullJson, 'changes' | 'impact' | 'next'> {}

/** One prompt of `prompts list --json`. */
export interface ListedPromptJson extends PromptSettings {
  /** `test` for a staging version. */
  readonly environment: Environment
  /** The name in `prompts.…`; `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
  /** In order of first use in the text. */
  readonly variables: readonly string[]
  /** Length of system and user text, in Unicode characters. */
  readonly characters: number
  /** Why no pull changes the prompt; `null` if it is not held. */
  readonly held: string | null
  /** Label of its staging version in the lock; `null` if there is none. */
  readonly staging: string | null
}

/** `prompts --version --json`. */
export interface VersionJson {
  /** Of this package. */
  readonly version: string
}

/** `prompts --help --json`. */
export interface OverviewJson extends VersionJson {
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
}

/** `prompts <command> --help --json`. */
export interface HelpJson {
  readonly name: string
  readonly summary: string
  /** Its placeholder, such as `<slug>`; `null` if the command takes none. */
  readonly argument: string | null
  readonly options: readonly { readonly name: string; readonly description: string }[]
}

/** Returns a function that prints a prompt of a view of a lock as JSON. */
export function jsonOf(lock: Lock, { prompts }: View): (prompt: PinnedPrompt) => ListedPromptJson {
  const parts = indexParts(lock.parts)
  const names = planNames(prompts.map(({ slug }) => slug))
  return (prompt) => ({
    ...settingsOf(prompt),
    environment: prompt.environment,
    identifier: names.identifiers.get(prompt.slug) ?? null,
    variables: promptVariables(prompt),
    characters: countCharacters(prompt.system) + countCharacters(prompt.user),
    held: prompt.held?.reason ?? null,
    staging: parts.get(partKey({ ...prompt, environment: 'test' }))?.version ?? null,
  })
}
