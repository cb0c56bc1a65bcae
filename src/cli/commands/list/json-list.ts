import { promptVariables } from '../../../core/compare.ts'
import { type Drift, type ListedField, listedValues } from '../../../core/drift.ts'
import type { NamePlan } from '../../../core/names.ts'
import type { Environment, Lock, PinnedPrompt } from '../../../core/prompt.ts'
import type { UsageReport } from '../../../features/usage/usage.ts'

/** One prompt of `prompts list --json`. */
export interface ListedPromptJson {
  readonly slug: string
  /** The name in `prompts.…`; `null` where only `prompts[slug]` reaches it. */
  readonly identifier: string | null
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly version: string
  /** By first appearance in the text. */
  readonly variables: readonly string[]
  /** Length of system and user text together, in Unicode characters. */
  readonly characters: number
  /** Only with `--updates`: `null` where the service's list says the same. */
  readonly update?: UpdateJson | null
}

/** What the service has for a pinned prompt. */
export type UpdateJson =
  | { readonly kind: 'removed' }
  | ({ readonly kind: 'changed'; readonly fields: readonly ListedField[] } & Readonly<
      Record<ListedField, string>
    >)

/** `prompts list --json`. */
export interface ListJson {
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly ListedPromptJson[]
  /** Only with `--usage`: who uses what. */
  readonly usage?: UsageReport
  /** Only with `--updates`: what the service has and the lock has not. */
  readonly added?: readonly ({ readonly slug: string } & Readonly<Record<ListedField, string>>)[]
}

/** What is listed; `drift` only where the service was asked. */
export interface Listing {
  readonly lock: Lock
  readonly path: string
  readonly names: NamePlan
  readonly drift: readonly Drift[] | undefined
}

/** A listing as JSON. */
export function listJson({ lock, path, names, drift }: Listing): ListJson {
  const { environment } = lock
  const updates = new Map(drift?.map((found) => [found.slug, found]))
  const prompts = lock.prompts.map((prompt) => ({
    ...promptJson(prompt, names),
    ...(drift === undefined ? {} : { update: updateJson(updates.get(prompt.slug), lock) }),
  }))
  const added = drift?.flatMap((found) =>
    found.kind === 'added' ? [{ slug: found.slug, ...listedValues(found.entry, environment) }] : [],
  )
  return { environment, lock: path, prompts, ...(added === undefined ? {} : { added }) }
}

/** One prompt of a lock as JSON. */
export function promptJson(prompt: PinnedPrompt, names: NamePlan): ListedPromptJson {
  const { slug, folder, model, temperature, version } = prompt
  return {
    slug,
    identifier: names.identifiers.get(slug) ?? null,
    folder,
    model,
    temperature,
    version,
    variables: promptVariables(prompt),
    characters: charactersOf(prompt),
  }
}

/** Length of a prompt's whole text, in Unicode characters. */
export function charactersOf({ source }: PinnedPrompt): number {
  return [...source].length
}

function updateJson(found: Drift | undefined, { environment }: Lock): UpdateJson | null {
  if (found === undefined || found.kind === 'added') return null
  if (found.kind === 'removed') return { kind: 'removed' }
  return { kind: 'changed', fields: found.fields, ...listedValues(found.entry, environment) }
}
