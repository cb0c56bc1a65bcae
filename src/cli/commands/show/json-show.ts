import { type Lint, lintPrompt } from '../../../core/lint.ts'
import { locateEntries } from '../../../core/lock/lock-lines.ts'
import type { NamePlan } from '../../../core/names.ts'
import type { Environment, PinnedPrompt } from '../../../core/prompt.ts'
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
  /** Double braces that aren't variables. */
  readonly notes: readonly Lint[]
  /** Only with `--usage`: where the code of the app uses the prompt. */
  readonly usage?: readonly UsageSite[]
}

/** One prompt of a lock, and what is known about it. */
export interface ShownPrompt {
  readonly prompt: PinnedPrompt
  readonly names: NamePlan
  readonly environment: Environment
  /** Path of the lock, absolute. */
  readonly path: string
  /** Text of the lock. */
  readonly text: string
  /** `undefined` unless the code of the app was read. */
  readonly usage: readonly UsageSite[] | undefined
}

/** A prompt as JSON. */
export function showJson({ prompt, names, environment, path, text, usage }: ShownPrompt): ShowJson {
  const { slug, system, user, source } = prompt
  return {
    ...promptJson(prompt, names),
    environment,
    lock: path,
    line: locateEntries(text).get(slug)?.entry ?? null,
    system,
    user,
    source,
    notes: lintPrompt(prompt, Number.POSITIVE_INFINITY).first,
    ...(usage === undefined ? {} : { usage }),
  }
}
