import { classifyChanges } from '../../core/classify-change.ts'
import { applyChanges, comparePrompts, type PromptChange } from '../../core/compare.ts'
import type { PullDraft } from '../pull/draft.ts'
import type { SkippedChange } from '../pull/draft.ts'
import {
  appliedPromptRenames,
  areAboutOneName,
  type ConfirmedRename,
  printRename,
  type PromptRename,
  renamePrompts,
} from './renames.ts'

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

/** Extends the reasons of skipped changes with how to confirm a probable rename. */
export function suggestRenames(
  skipped: readonly SkippedChange[],
  guesses: readonly ConfirmedRename[],
): SkippedChange[] {
  return skipped.map((each) => {
    const guess = guesses.find(
      (rename) => each.change.slug === (rename.kind === 'prompt' ? rename.from : rename.slug),
    )
    if (guess === undefined) return each
    return { ...each, reason: `${each.reason}; confirm it with --rename ${printRename(guess)}` }
  })
}
