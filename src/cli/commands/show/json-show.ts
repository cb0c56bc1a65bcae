import { cacheablePrefix } from '../../../core/cacheable-prefix.ts'
import { type Note, findNotes } from '../../../core/notes.ts'
import { locateEntries } from '../../../core/lock/lock-lines.ts'
import { planNames } from '../../../core/names.ts'
import type { Environment, Lock, PinnedPrompt } from '../../../core/prompt.ts'
import type { UsageSite } from '../../../features/usage/usage.ts'
import { type ListedPromptJson, promptJson } from '../list/json-list.ts'

/** `prompts show --json`. Texts are as served: escape them before showing. */
export interface ShowJson extends Omit<ListedPromptJson, 'update'> {
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly lock: string
  /** Line of the lock where the prompt is, counted from 1; `null` if the lock is not printed by line. */
  readonly line: number | null
  readonly system: string
  /** Empty if the prompt has no user text. */
  readonly user: string
  /** System and user text together, as served. */
  readonly source: string
  /** The length of the constant text before the first variable, which providers of models can cache. */
  readonly cacheablePrefix: number
  readonly notes: readonly Note[]
  /** Only with `--usage`: where the code of the app uses the prompt. */
  readonly usage?: readonly UsageSite[]
}

/**
 * A prompt of a lock as JSON.
 *
 * @param text - of the lock
 * @param usage - `undefined` unless the code of the app was read
 */
export function showJson(
  prompt: PinnedPrompt,
  { environment, prompts }: Lock,
  { path, text, usage }: { path: string; text: string; usage: readonly UsageSite[] | undefined },
): ShowJson {
  const { slug, system, user, source } = prompt
  return {
    ...promptJson(prompt, planNames(prompts.map((each) => each.slug))),
    environment,
    lock: path,
    line: locateEntries(text).get(slug)?.entry ?? null,
    system,
    user,
    source,
    cacheablePrefix: cacheablePrefix(prompt),
    notes: findNotes(prompt, Number.POSITIVE_INFINITY).first,
    ...(usage === undefined ? {} : { usage }),
  }
}
