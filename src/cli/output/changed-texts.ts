import { changeSides, type PromptChange } from '../../core/compare.ts'
import { findJoin, type PinnedPrompt, type PromptText } from '../../core/prompt.ts'

/** One text of a prompt on both sides; `undefined` if a side has no such prompt. */
export interface ChangedText {
  readonly field: PromptText['field']
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * The texts that a change affects. `source` is included only if it isn't a join of system and user,
 * or if only the separator changed.
 */
export function changedTexts(change: PromptChange): ChangedText[] {
  if (change.kind === 'unchanged') return []
  const { before, after } = changeSides(change)
  const fields = (['system', 'user', 'source'] as const).filter(
    (field) => (before?.[field] ?? '') !== (after?.[field] ?? ''),
  )
  const ownSource = [before, after].some((prompt) => prompt !== undefined && isOwn(prompt))
  return fields
    .filter((field) => field !== 'source' || ownSource || fields.length === 1)
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
}

function isOwn(prompt: PinnedPrompt): boolean {
  return findJoin(prompt) === undefined
}
