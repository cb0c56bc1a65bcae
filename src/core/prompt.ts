/** Which snapshot of the workspace: what the live key sees, or what the test key sees. */
export type Environment = 'live' | 'test'

/**
 * One prompt as the lock pins it. `source` is the text the service serves for system and user
 * together; how it joins the two is derived by {@link joinOf}, never stored twice.
 */
export interface PinnedPrompt {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
  /** Label of the pinned version, such as `v22`. */
  readonly version: string
  readonly system: string
  /** Empty when the prompt has no user text. */
  readonly user: string
  readonly source: string
}

/** The committed snapshot: prompts sorted by code point of their slug. */
export interface Lock {
  readonly environment: Environment
  readonly prompts: readonly PinnedPrompt[]
}

/**
 * The white space that stands between system and user text in `source`.
 *
 * @returns the join, or `undefined` where `source` is anything else than system, white space, user
 */
export function joinOf({
  system,
  user,
  source,
}: Pick<PinnedPrompt, 'system' | 'user' | 'source'>): string | undefined {
  const end = source.length - user.length
  if (end < system.length) return undefined
  // Slices, since `startsWith` and `endsWith` take several times as long for long texts.
  if (source.slice(0, system.length) !== system || source.slice(end) !== user) return undefined
  const join = source.slice(system.length, end)
  return /^\s*$/.test(join) ? join : undefined
}

/** One of a prompt's texts that the lock holds in full. */
export interface PromptText {
  readonly field: 'system' | 'user' | 'source'
  readonly text: string
}

/** The texts of a prompt, each once: `source` only where it is no join of the other two. */
export function textsOf(prompt: PinnedPrompt): PromptText[] {
  const texts: PromptText[] = [
    { field: 'system', text: prompt.system },
    { field: 'user', text: prompt.user },
  ]
  if (joinOf(prompt) === undefined) texts.push({ field: 'source', text: prompt.source })
  return texts
}
