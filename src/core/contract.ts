import { changeRows } from './change-row.ts'
import type { ChangeEffect } from './classify-change.ts'
import { comparePrompts } from './compare.ts'
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
  return changeRows(comparePrompts(declared, used)).flatMap(({ slug, effects }) => {
    const differences = effects.flatMap(describe)
    return differences.length === 0 ? [] : [sanitize(`${slug} ${differences.join(' and ')}`)]
  })
}

function describe(effect: ChangeEffect): string[] {
  if (effect.kind === 'prompt-removed') return ['is missing']
  if (effect.kind === 'variable-added') return [`also needs ${effect.name}`]
  if (effect.kind === 'variable-renamed') return [`needs ${effect.to} instead of ${effect.from}`]
  if (effect.kind === 'roles')
    return [`has ${textsOf(effect.after)} instead of ${textsOf(effect.before)}`]
  if (effect.kind !== 'setting' || effect.field !== 'model') return []
  return [`has the model ${effect.after} instead of ${effect.before}`]
}

function textsOf([first, second]: readonly string[]): string {
  if (first === undefined) return 'no text'
  return second === undefined ? `only ${first} text` : `${first} and ${second} text`
}
