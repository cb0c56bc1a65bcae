import { promptVariables } from '../../../core/compare.ts'
import { type ListedField, type ListedUpdate, listedValues } from '../../../core/drift.ts'
import type { NamePlan } from '../../../core/names.ts'
import type { Environment, Lock, PinnedPrompt } from '../../../core/prompt.ts'
import { countPromptCharacters } from '../../../core/text/characters.ts'
import type { DriftReport } from '../../../features/diff/drift.ts'
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
  readonly update?: ListedUpdate | null
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
}

/** A prompt that only the service has. */
export type AddedPromptJson = { readonly slug: string } & Readonly<Record<ListedField, string>>

/** What the service has for each prompt of a lock that differs, held ones included, by slug. */
function listedUpdates(
  { environment }: Lock,
  { drift, held }: Pick<DriftReport, 'drift' | 'held'>,
): Map<string, ListedUpdate> {
  const updates = new Map<string, ListedUpdate>()
  for (const found of drift) {
    if (found.kind === 'removed') updates.set(found.slug, { kind: 'removed' })
    else if (found.kind === 'changed')
      updates.set(found.slug, {
        kind: 'changed',
        fields: found.fields,
        ...listedValues(found.entry, environment),
      })
  }
  for (const { slug, update } of held) if (update) updates.set(slug, update)
  return updates
}

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
  const { environment } = lock
  const updates = drift && listedUpdates(lock, drift)
  const prompts = lock.prompts.map((prompt) => ({
    ...promptJson(prompt, names),
    ...(updates === undefined ? {} : { update: updates.get(prompt.slug) ?? null }),
  }))
  const added = drift?.drift.flatMap((found) =>
    found.kind === 'added' ? [{ slug: found.slug, ...listedValues(found.entry, environment) }] : [],
  )
  return {
    environment,
    lock: path,
    prompts,
    ...(added === undefined ? {} : { added }),
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
