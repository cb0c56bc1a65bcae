import type { ChangeRow } from '../../core/change-row.ts'
import { promptVariables } from '../../core/compare.ts'
import type { NamePlan } from '../../core/names.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { countPromptCharacters } from '../../core/text/characters.ts'

/** One prompt of `prompts list --json`. */
export interface ListedPromptJson {
  readonly slug: string
  /** The name in `prompts.…`; `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly version: string
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
  const { slug, folder, model, temperature, version, held } = prompt
  return {
    slug,
    identifier: names.identifiers.get(slug) ?? null,
    folder,
    model,
    temperature,
    version,
    variables: promptVariables(prompt),
    characters: countPromptCharacters(prompt),
    held: held?.reason ?? null,
  }
}
