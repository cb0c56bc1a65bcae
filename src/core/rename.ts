import type { VariableChange } from './compare.ts'
import { type PinnedPrompt, promptTexts } from './prompt.ts'
import { parseTemplate } from './template.ts'

/** A variable that seems to have got another name: a guess, for a person to judge. */
export interface LikelyRename {
  readonly from: string
  readonly to: string
}

/**
 * The rename behind a changed contract: exactly one variable is gone, exactly one is new, and the
 * new one stands where the old one stood, by the order of the tokens or by the line around one.
 *
 * @returns `undefined` where the change reads as anything else
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
  return hasSameOrder(before, after, { from, to }) || sharesLine(before, after, { from, to })
    ? { from, to }
    : undefined
}

function hasSameOrder(
  before: PinnedPrompt,
  after: PinnedPrompt,
  { from, to }: LikelyRename,
): boolean {
  const old = listTokenNames(before).map((name) => (name === from ? to : name))
  const now = listTokenNames(after)
  return old.length === now.length && old.every((name, index) => name === now[index])
}

/** The names of all tokens in the order of the texts, repeated as they are there. */
function listTokenNames(prompt: PinnedPrompt): string[] {
  return promptTexts(prompt).flatMap(({ text }) =>
    parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])),
  )
}

function sharesLine(
  before: PinnedPrompt,
  after: PinnedPrompt,
  { from, to }: LikelyRename,
): boolean {
  const now = linesAround(after, to)
  return [...linesAround(before, from)].some((line) => now.has(line))
}

/** The lines with a variable's token, with a hole in its place; those with nothing else left out. */
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
