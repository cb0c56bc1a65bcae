import type { PinnedPrompt } from './prompt.ts'
import { parseTemplate } from './template.ts'

/**
 * The length of the constant text before the first variable, in UTF-16 code units, in the order in which
 * texts are sent. Providers of models can cache only this.
 */
export function cacheablePrefix({ system, user }: Pick<PinnedPrompt, 'system' | 'user'>): number {
  const length = constantLength(system)
  return length < system.length ? length : length + constantLength(user)
}

function constantLength(text: string): number {
  const [first = ''] = parseTemplate(text)
  return typeof first === 'string' ? first.length : 0
}
