import type { PinnedPrompt } from '../prompt.ts'

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
export function countCharacters(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0)
}

/** The size of a prompt: the characters of the texts that people wrote. */
export function countPromptCharacters({
  system,
  user,
}: Pick<PinnedPrompt, 'system' | 'user'>): number {
  return countCharacters(system) + countCharacters(user)
}
