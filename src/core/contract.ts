import { type ChangeEffect, classifySnapshots } from './classify-change.ts'
import type { PinnedPrompt } from './prompt.ts'
import { sanitize } from './text/sanitize.ts'

/**
 * Returns one sanitized line for each prompt that is missing or needs other variables than the app
 * was compiled for.
 */
export function describeContractBreaks(
  declared: readonly PinnedPrompt[],
  used: readonly PinnedPrompt[],
): string[] {
  return classifySnapshots(declared, used).flatMap(({ change: { slug }, effects }) => {
    const needs = effects.flatMap(describe)
    return needs.length === 0 ? [] : [sanitize(`${slug} ${needs.join(' and ')}`)]
  })
}

function describe(effect: ChangeEffect): string[] {
  switch (effect.kind) {
    case 'prompt-removed':
      return ['is missing']
    case 'variable-added':
      return [`also needs ${effect.name}`]
    case 'variable-renamed':
      return [`needs ${effect.to} instead of ${effect.from}`]
    default:
      return []
  }
}
