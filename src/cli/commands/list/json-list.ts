import { type ChangeRow, withoutTexts } from '../../../core/change-row.ts'
import { promptVariables } from '../../../core/compare.ts'
import type { StagedPrompt } from '../../../core/drift.ts'
import type { NamePlan } from '../../../core/names.ts'
import type { Environment, PinnedPrompt } from '../../../core/prompt.ts'
import { countPromptCharacters } from '../../../core/text/characters.ts'
import type { ListedPrompts } from './select-prompts.ts'
import type { UsageReport } from '../../../features/usage/usage.ts'

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

/** `prompts list --json`. */
export interface ListJson {
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly ListedPromptJson[]
  /** Only with `--usage`. */
  readonly usage?: UsageReport
  /** Only with `--updates`: prompts that are not in the lock. */
  readonly added?: readonly AddedPromptJson[]
  /** Only with `--updates` of live prompts: those with a staging version. */
  readonly staged?: readonly StagedPrompt[]
}

/** A prompt that only the service has. */
export type AddedPromptJson = Pick<PinnedPrompt, 'slug' | 'folder' | 'model' | 'version'>

/**
 * A listing as JSON.
 *
 * @param path - of the lock, absolute
 */
export function listJson(
  { lock, drift, usage }: ListedPrompts,
  path: string,
  names: NamePlan,
): ListJson {
  // Held prompts are no drift.
  const updates = new Map<string, ChangeRow | null | undefined>([
    ...(drift?.drift ?? []).map((row) => [row.slug, withoutTexts(row)] as const),
    ...(drift?.held ?? []).map(({ slug, update }) => [slug, update] as const),
  ])
  const prompts = lock.prompts.map((prompt) => ({
    ...promptJson(prompt, names),
    ...(drift === undefined ? {} : { update: updates.get(prompt.slug) ?? null }),
  }))
  const added = drift?.drift.flatMap(({ change }) => {
    if (change.kind !== 'added') return []
    const { slug, folder, model, version } = change.after
    return [{ slug, folder, model, version }]
  })
  return {
    environment: lock.environment,
    lock: path,
    prompts,
    ...(added === undefined ? {} : { added }),
    ...(drift === undefined || lock.environment === 'test' ? {} : { staged: drift.staged }),
    ...(usage === undefined ? {} : { usage }),
  }
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
