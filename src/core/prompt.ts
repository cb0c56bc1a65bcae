/** Which snapshot of the workspace: what the live key sees, or what the test key sees. */
export type Environment = 'live' | 'test'

/**
 * One prompt as the lock pins it. `source` is the text the service serves for system and user
 * together; how it joins the two is derived by {@link findJoin}, never stored twice.
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
  /** Set while the prompt stays as it is pinned, whatever the service serves. */
  readonly held?: Hold | undefined
}

/** Why a prompt is held. It is no part of the prompt itself: its hash does not cover it. */
export interface Hold {
  readonly reason: string
}

/** The committed snapshot: prompts sorted by code point of their slug. */
export interface Lock {
  readonly environment: Environment
  readonly prompts: readonly PinnedPrompt[]
}

/** Written out, since `\s` depends on the Unicode version of Node and locks do not. */
const WHITE_SPACE = /^[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$/

/** Whether a text may join system and user text in a lock. */
export function isJoin(text: string): boolean {
  return WHITE_SPACE.test(text)
}

/**
 * The white space between system and user text in `source`.
 *
 * @returns the join, or `undefined` if `source` is anything else than system, white space, user
 */
export function findJoin({
  system,
  user,
  source,
}: Pick<PinnedPrompt, 'system' | 'user' | 'source'>): string | undefined {
  const end = source.length - user.length
  if (end < system.length) return undefined
  // Slices, since `startsWith` and `endsWith` take several times as long for long texts.
  if (source.slice(0, system.length) !== system || source.slice(end) !== user) return undefined
  const join = source.slice(system.length, end)
  return isJoin(join) ? join : undefined
}

/** One of a prompt's texts that the lock holds in full. */
export interface PromptText {
  readonly field: 'system' | 'user' | 'source'
  readonly text: string
}

/** The texts of a prompt, each once: `source` only where it is no join of the other two. */
export function promptTexts(prompt: PinnedPrompt): PromptText[] {
  const texts: PromptText[] = [
    { field: 'system', text: prompt.system },
    { field: 'user', text: prompt.user },
  ]
  if (findJoin(prompt) === undefined) texts.push({ field: 'source', text: prompt.source })
  return texts
}
