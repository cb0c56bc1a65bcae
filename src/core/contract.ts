import { type ChangeEffect, classifySnapshots } from './classify-change.ts'
import type { ChangedPrompt } from './compare.ts'
import type { PinnedPrompt } from './prompt.ts'
import { sanitize } from './text/sanitize.ts'

/**
 * Returns one sanitized line for each prompt that is missing or has other variables, roles or another
 * model than the app was compiled for.
 */
export function describeContractBreaks(
  declared: readonly PinnedPrompt[],
  used: readonly PinnedPrompt[],
): string[] {
  return classifySnapshots(declared, used).flatMap(({ change, effects }) => {
    const differences = effects.flatMap((effect) => describe(effect, change))
    if (differences.length === 0) return []
    return [sanitize(`${change.slug} ${differences.join(' and ')}`)]
  })
}

function describe(effect: ChangeEffect, change: ChangedPrompt): string[] {
  if (effect.kind === 'prompt-removed') return ['is missing']
  if (effect.kind === 'variable-added') return [`also needs ${effect.name}`]
  if (effect.kind === 'variable-renamed') return [`needs ${effect.to} instead of ${effect.from}`]
  if (change.kind !== 'updated') return []
  const { before, after } = change
  if (effect.kind === 'roles') return [`has ${textsOf(after)} instead of ${textsOf(before)}`]
  if (effect.kind !== 'setting' || effect.field !== 'model') return []
  return [`has the model ${after.model} instead of ${before.model}`]
}

function textsOf({ system, user }: PinnedPrompt): string {
  if (system === '') return user === '' ? 'no text' : 'only user text'
  return user === '' ? 'only system text' : 'system and user text'
}
