import type { Lock } from '../../core/prompt.ts'
import { type NamePlan, planNames, promptNames } from '../../core/names.ts'
import { type PromptChange, type ChangedPrompt } from '../../core/compare.ts'
import { sortBySlug } from '../../core/text/order.ts'
import type { ConfirmedRename } from './fix-plan.ts'
import type { NameChanges } from './name-changes.ts'

/** A rename of a prompt in the service. */
type PromptRename = Extract<ConfirmedRename, { kind: 'prompt' }>

/** Returns the renames of prompts that a set of changes applies: both the removed and the added one. */
export function appliedPromptRenames(
  renames: readonly ConfirmedRename[],
  changes: readonly ChangedPrompt[],
): PromptRename[] {
  const kinds = new Map(changes.map(({ slug, kind }) => [slug, kind]))
  return renames.filter(
    (rename): rename is PromptRename =>
      rename.kind === 'prompt' &&
      kinds.get(rename.from) === 'removed' &&
      kinds.get(rename.to) === 'added',
  )
}

/** Returns a lock whose prompts have their new slugs, and else are as before. */
export function renamePrompts(lock: Lock, renames: readonly PromptRename[]): Lock {
  const slugs = new Map(renames.map(({ from, to }) => [from, to]))
  const prompts = lock.prompts.map((each) => ({ ...each, slug: slugs.get(each.slug) ?? each.slug }))
  return { ...lock, prompts: sortBySlug(prompts) }
}

/** Returns the names of prompts that renames change: slugs and identifiers. */
export function promptNameChanges(before: Lock, renames: readonly PromptRename[]): NameChanges {
  const namesIn = ({ prompts }: Lock): NamePlan => planNames(prompts.map(({ slug }) => slug))
  const old = namesIn(before)
  const now = namesIn(renamePrompts(before, renames))
  const renamed = new Map<string, string[]>()
  for (const { from, to } of renames) {
    const names = promptNames(from, old)
    const identifier = now.identifiers.get(to) ?? to
    for (const name of names)
      renamed.set(name, [name === from && names.length > 1 ? to : identifier])
  }
  return { renamed, removed: new Set() }
}

/** Returns the names of variables that change: those with a confirmed rename, and removed ones. */
export function variableNameChanges(
  changes: readonly PromptChange[],
  renames: readonly ConfirmedRename[],
): NameChanges {
  const renamed = new Map<string, string[]>()
  const removed = new Set<string>()
  for (const { slug, variables } of changes.filter((change) => change.kind === 'updated')) {
    const own = renames.filter((rename) => rename.kind === 'variable' && rename.slug === slug)
    for (const { from, to } of own)
      renamed.set(from, [...new Set([...(renamed.get(from) ?? []), to])])
    const known = new Set(own.map(({ from }) => from))
    for (const name of variables.removed) if (!known.has(name)) removed.add(name)
  }
  return { renamed, removed }
}
