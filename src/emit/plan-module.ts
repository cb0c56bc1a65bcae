import { type NamePlan, namesOf, planNames } from '../core/names.ts'
import { type Lock, type PinnedPrompt, joinOf } from '../core/prompt.ts'
import { parseTemplate, type TemplatePart, type Token } from '../core/template.ts'

/** What a prompt's export needs to be printed: names and texts, all decided. */
export interface PlannedPrompt {
  readonly prompt: PinnedPrompt
  /** Slug and identifier: the export names. */
  readonly names: readonly string[]
  readonly system: readonly TemplatePart[]
  readonly user: readonly TemplatePart[]
  /** What joins system and user, or the whole text where it is no join of the two. */
  readonly whole:
    | { readonly kind: 'join'; readonly join: string }
    | { readonly kind: 'source'; readonly source: readonly TemplatePart[] }
  /** The distinct spellings of the prompt's tokens, by first appearance: one slot for each. */
  readonly slots: readonly Token[]
}

/** The prompts of a lock with the names that the app calls them by. */
export interface ModulePlan {
  readonly environment: Lock['environment']
  readonly names: NamePlan
  readonly prompts: readonly PlannedPrompt[]
}

/** Decides all that the generated module says, in the order of the lock. */
export function planModule(lock: Lock): ModulePlan {
  const names = planNames(lock.prompts.map(({ slug }) => slug))
  return {
    environment: lock.environment,
    names,
    prompts: lock.prompts.map((prompt) => planPrompt(prompt, namesOf(prompt.slug, names))),
  }
}

function planPrompt(prompt: PinnedPrompt, names: readonly string[]): PlannedPrompt {
  const join = joinOf(prompt)
  const system = parseTemplate(prompt.system)
  const user = parseTemplate(prompt.user)
  const source = join === undefined ? parseTemplate(prompt.source) : []
  return {
    prompt,
    names,
    system,
    user,
    whole: join === undefined ? { kind: 'source', source } : { kind: 'join', join },
    slots: slotsOf([...system, ...user, ...source]),
  }
}

function slotsOf(parts: readonly TemplatePart[]): Token[] {
  const slots = new Map<string, Token>()
  for (const part of parts) {
    if (typeof part !== 'string' && !slots.has(part.raw)) slots.set(part.raw, part)
  }
  return [...slots.values()]
}
