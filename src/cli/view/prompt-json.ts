import type { ChangeRow } from '../../core/change-row.ts'
import { promptVariables } from '../../core/compare.ts'
import type { NamePlan } from '../../core/names.ts'
import {
  type Environment,
  type PinnedPrompt,
  type PromptSettings,
  settingsOf,
} from '../../core/prompt.ts'
import { countCharacters } from '../../core/text/characters.ts'

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
  /** Only with `--updates`: `null` if the service's list has the same. */
  readonly update?: ChangeRow | null
}

/** One prompt of a lock as JSON. */
export function promptJson(prompt: PinnedPrompt, names: NamePlan): ListedPromptJson {
  return {
    ...settingsOf(prompt),
    environment: prompt.environment,
    identifier: names.identifiers.get(prompt.slug) ?? null,
    variables: promptVariables(prompt),
    characters: countCharacters(prompt.system) + countCharacters(prompt.user),
    held: prompt.held?.reason ?? null,
  }
}
