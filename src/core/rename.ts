import type { VariableChange } from './compare.ts'
import { type PinnedPrompt, promptTexts } from './prompt.ts'
import { findTokens, parseTemplate } from './template.ts'

/** A variable that was probably renamed. This is a guess. */
export interface LikelyRename {
  readonly from: string
  readonly to: string
}

/**
 * Guesses a rename: exactly one variable was removed, exactly one was added, and the new one is in the
 * same place, judging by the order of the tokens or by the text of a line.
 *
 * @returns `undefined` if the change does not look like a rename
 */
export function detectRename(
  before: PinnedPrompt,
  after: PinnedPrompt,
  { added, removed }: VariableChange,
): LikelyRename | undefined {
  const [[from, ...otherOld], [to, ...otherNew]] = [removed, added]
  if (from === undefined || to === undefined || otherOld.length + otherNew.length > 0) {
    return undefined
  }
  const old = listTokenNames(before).map((name) => (name === from ? to : name))
  const hasSameOrder = JSON.stringify(old) === JSON.stringify(listTokenNames(after))
  if (hasSameOrder) return { from, to }
  const now = linesAround(after, to)
  return [...linesAround(before, from)].some((line) => now.has(line)) ? { from, to } : undefined
}

/** The names of all tokens in the order of the texts, with repetitions. */
function listTokenNames(prompt: PinnedPrompt): string[] {
  return promptTexts(prompt).flatMap(({ text }) => [...findTokens(text)].map(({ name }) => name))
}

/** The lines with a variable's token, which is replaced by a placeholder. Lines without other text are
 * left out. */
function linesAround(prompt: PinnedPrompt, name: string): Set<string> {
  const lines = promptTexts(prompt).flatMap(({ text }) =>
    parseTemplate(text)
      .map((part) =>
        typeof part === 'string' ? part : part.name === name ? PLACEHOLDER : part.raw,
      )
      .join('')
      .split('\n'),
  )
  return new Set(lines.filter((line) => line.includes(PLACEHOLDER) && /[\p{L}\p{N}]/u.test(line)))
}

/** An unpaired surrogate, which is in no prompt, since a pull refuses it. */
const PLACEHOLDER = '\ud800'
