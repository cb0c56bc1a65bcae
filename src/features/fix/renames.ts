import type { PromptChange } from '../../core/compare.ts'
import { type NamePlan, planNames, promptNames } from '../../core/names.ts'
import type { Lock } from '../../core/prompt.ts'
import { sortBySlug } from '../../core/text/order.ts'

/** A rename of a prompt in the service. */
export interface PromptRename {
  readonly kind: 'prompt'
  readonly from: string
  readonly to: string
}

/** A rename of a variable in the service. */
interface VariableRename {
  readonly kind: 'variable'
  /** That of the new version. */
  readonly slug: string
  readonly from: string
  readonly to: string
}

/** A rename in the service, confirmed by a person. */
export type ConfirmedRename = PromptRename | VariableRename

/** Old names, each with what prompts call it now. `undefined` is for prompts that removed it. */
export type NameChanges = ReadonlyMap<string, ReadonlySet<string | undefined>>

/** Prints a rename as the value of `--rename`. */
export function printRename(rename: ConfirmedRename): string {
  const { from, to } = rename
  return rename.kind === 'prompt' ? `${from}=${to}` : `${rename.slug}:${from}=${to}`
}

/** Whether two renames are about one name, so that only one of them can be true. */
export function areAboutOneName(one: ConfirmedRename, other: ConfirmedRename): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind === 'variable' && other.kind === 'variable' && one.slug !== other.slug) return false
  return one.from === other.from || one.to === other.to
}

/** Returns the renames of prompts that a set of changes applies: both the removed and the added one. */
export function appliedPromptRenames(
  renames: readonly ConfirmedRename[],
  changes: readonly PromptChange[],
): PromptRename[] {
  const kinds = new Map(changes.map(({ slug, kind }) => [slug, kind]))
  return renames
    .filter((rename) => rename.kind === 'prompt')
    .filter(({ from, to }) => kinds.get(from) === 'removed' && kinds.get(to) === 'added')
}

/** Returns a lock whose prompts have their new slugs, and else are as before. */
export function renamePrompts(
  lock: Lock,
  renames: readonly Pick<PromptRename, 'from' | 'to'>[],
): Lock {
  const slugs = new Map(renames.map(({ from, to }) => [from, to]))
  const prompts = lock.prompts.map((each) => ({ ...each, slug: slugs.get(each.slug) ?? each.slug }))
  return { ...lock, prompts: sortBySlug(prompts) }
}

/** Returns the names of prompts that renames change: slugs and identifiers. */
export function promptNameChanges(before: Lock, renames: readonly PromptRename[]): NameChanges {
  const namesIn = ({ prompts }: Lock): NamePlan => planNames(prompts.map(({ slug }) => slug))
  const [old, now] = [namesIn(before), namesIn(renamePrompts(before, renames))]
  return new Map(
    renames.flatMap(({ from, to }) => {
      const names = promptNames(from, old)
      const identifier = now.identifiers.get(to) ?? to
      return names.map((name) => {
        const isSlug = name === from && names.length > 1
        return [name, new Set([isSlug ? to : identifier])] as const
      })
    }),
  )
}

/** Returns the names of variables that updates remove, with the new name of those that were renamed. */
export function variableNameChanges(
  changes: readonly PromptChange[],
  renames: readonly ConfirmedRename[],
): NameChanges {
  const names = new Map<string, Set<string | undefined>>()
  for (const { slug, variables } of changes.filter((change) => change.kind === 'updated')) {
    const own = renames.filter((rename) => rename.kind === 'variable' && rename.slug === slug)
    for (const name of variables.removed) {
      const to = own.find(({ from }) => from === name)?.to
      names.set(name, (names.get(name) ?? new Set()).add(to))
    }
  }
  return names
}
