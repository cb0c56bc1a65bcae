import { containsSecret, redact } from '../core/secrets.ts'
import { describePart, MAX_TEXT, type PinnedPrompt, promptTexts } from '../core/prompt.ts'
import { findTokens } from '../core/template.ts'
import { formatCount } from '../core/text/pluralize.ts'
import { PromptsError, usageError } from '../errors/prompts-error.ts'

/** Maximum number of tokens in one prompt. Up to it pulls, builds and type checks are fast. */
const TOKEN_LIMIT = 20_000

/**
 * Checks that prompts may be pinned, and reports the problems of all prompts together.
 *
 * @param secrets - what no prompt may contain
 * @throws PromptsError USAGE for a text of more than 10 MB
 */
export function assertPinnable(prompts: readonly PinnedPrompt[], secrets: readonly string[]): void {
  const unpaired = textsWith(prompts, (text) => /\p{Surrogate}/u.test(text))
  if (unpaired.length > 0) throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems: unpaired })
  const leaking = textsWith(prompts, (text) => containsSecret(text, secrets))
  // A slug may hold it too.
  const problems = leaking.map((problem) => redact(problem, secrets))
  if (problems.length > 0) throw new PromptsError('TEXT_HOLDS_KEY', { problems })
  if (prompts.flatMap(promptTexts).some(({ text }) => Buffer.byteLength(text) > MAX_TEXT))
    throw usageError('A text has more than 10 MB, so nothing was pinned.')
  const huge = prompts.flatMap((prompt) => {
    const count = tokenCount(prompt)
    return count > TOKEN_LIMIT ? [`${describePart(prompt)}: ${formatCount(count)}`] : []
  })
  if (huge.length > 0)
    throw new PromptsError('TOO_MANY_TOKENS', { problems: huge, limit: TOKEN_LIMIT })
}

/** The texts that match a test, as `slug: field`. */
function textsWith(prompts: readonly PinnedPrompt[], test: (text: string) => boolean): string[] {
  return prompts.flatMap((prompt) =>
    Object.entries({ ...prompt, held: prompt.held?.reason }).flatMap(([field, value]) =>
      typeof value === 'string' && test(value) ? [`${describePart(prompt)}: ${field}`] : [],
    ),
  )
}

function tokenCount(prompt: PinnedPrompt): number {
  return promptTexts(prompt).flatMap(({ text }) => [...findTokens(text)]).length
}
