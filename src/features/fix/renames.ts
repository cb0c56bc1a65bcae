import { classifyChanges } from '../../core/classify-change.ts'
import { applyChanges, comparePrompts, type PromptChange } from '../../core/compare.ts'
import type { Lock } from '../../core/prompt.ts'
import { sortBySlug } from '../../core/text/order.ts'
import type { PullDraft } from '../pull/draft.ts'

/** A rename of a prompt in the service. */
interface PromptRename {
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

/** Whether two renames are the same. */
export function isSameRename(one: ConfirmedRename, other: ConfirmedRename): boolean {
  return printRename(one) === printRename(other)
}

/** Returns the renames of prompts that a set of changes applies: both the removed and the added one. */
function appliedPromptRenames(
  renames: readonly ConfirmedRename[],
  changes: readonly PromptChange[],
): PromptRename[] {
  const kinds = new Map(changes.map(({ slug, kind }) => [slug, kind]))
  return renames
    .filter((rename) => rename.kind === 'prompt')
    .filter(({ from, to }) => kinds.get(from) === 'removed' && kinds.get(to) === 'added')
}

/** Returns a lock whose prompts have their new slugs, and else are as before. */
function renamePrompts(lock: Lock, renames: readonly Pick<PromptRename, 'from' | 'to'>[]): Lock {
  const slugs = new Map(renames.map(({ from, to }) => [from, to]))
  const prompts = lock.prompts.map((each) => ({ ...each, slug: slugs.get(each.slug) ?? each.slug }))
  return { ...lock, prompts: sortBySlug(prompts) }
}

/**
 * Guesses what was renamed in the service: variables by {@link detectRename}, prompts by equal texts. A
 * person has to confirm each guess.
 *
 * @param known - confirmed renames, which are left out
 */
export function guessRenames(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  known: readonly ConfirmedRename[] = [],
): ConfirmedRename[] {
  const renamed = renamePrompts(before, appliedPromptRenames(known, changes))
  const updates = comparePrompts(renamed.prompts, applyChanges(before.prompts, changes))
  const variables = classifyChanges(updates).flatMap(({ change: { slug }, effects }) =>
    effects
      .filter((effect) => effect.kind === 'variable-renamed')
      .map(({ from, to }) => ({ kind: 'variable' as const, slug, from, to })),
  )
  return [...guessPrompts(changes), ...variables].filter(
    (guess) => !known.some((rename) => areAboutOneName(rename, guess)),
  )
}

function guessPrompts(changes: readonly PromptChange[]): PromptRename[] {
  const removed = changes.filter((change) => change.kind === 'removed')
  const added = changes.filter((change) => change.kind === 'added')
  return removed.flatMap(({ slug, before }) => {
    const { system, user } = before
    const isSame = (text: { system: string; user: string }): boolean =>
      text.system === system && text.user === user
    const [match, ...others] = added.filter(({ after }) => isSame(after))
    const isOnly = removed.filter((change) => isSame(change.before)).length === 1
    return match === undefined || others.length > 0 || !isOnly
      ? []
      : [{ kind: 'prompt' as const, from: slug, to: match.slug }]
  })
}
