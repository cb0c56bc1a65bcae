import { type NamePlan, promptNames, planNames } from '../core/names.ts'
import { type Lock, type PinnedPrompt, findJoin } from '../core/prompt.ts'
import { parseTemplate, type TemplatePart, type Token } from '../core/template.ts'

/** What `virtual:prompts` exports besides the prompts. */
export const APP_EXPORTS: readonly string[] = [
  'PromptVariableError',
  'toAISDK',
  'toAnthropic',
  'toOpenAI',
  'toOpenAIResponses',
  'toSpanAttributes',
]

/** A prompt with its names in the app. */
export interface PlannedPrompt {
  readonly prompt: PinnedPrompt
  /** The prompt's position in the lock. Its definition is called `p<index>`. */
  readonly index: number
  /** Slug and identifier: the export names. */
  readonly names: readonly string[]
}

/** The parts of a prompt's texts. */
export interface PlannedTexts {
  readonly system: readonly TemplatePart[]
  readonly user: readonly TemplatePart[]
  /** The join of system and user, or the whole source if it is not a join of the two. */
  readonly combined:
    | { readonly kind: 'join'; readonly join: string }
    | { readonly kind: 'source'; readonly source: readonly TemplatePart[] }
  /** One slot for each distinct spelling of a token, by first appearance. */
  readonly slots: readonly Token[]
}

/** The prompts of a lock with their names in the app. */
export interface ModulePlan {
  readonly environment: Lock['environment']
  readonly names: NamePlan
  readonly prompts: readonly PlannedPrompt[]
}

/** A build needs the plan of its lock for the modules and for the declarations. */
const plans = new WeakMap<Lock, ModulePlan>()

/** Plans the generated module, in the order of the lock. Texts are parsed when they are printed. */
export function planModule(lock: Lock): ModulePlan {
  const plan = plans.get(lock) ?? planPrompts(lock)
  plans.set(lock, plan)
  return plan
}

function planPrompts(lock: Lock): ModulePlan {
  const names = planNames(lock.prompts.map(({ slug }) => slug))
  return {
    environment: lock.environment,
    names,
    prompts: lock.prompts.map((prompt, index) => ({
      prompt,
      index,
      names: promptNames(prompt.slug, names),
    })),
  }
}

/** Splits the texts of a prompt at its tokens. */
export function planTexts(prompt: PinnedPrompt): PlannedTexts {
  const join = findJoin(prompt)
  const system = parseTemplate(prompt.system)
  const user = parseTemplate(prompt.user)
  const source = join === undefined ? parseTemplate(prompt.source) : []
  return {
    system,
    user,
    combined: join === undefined ? { kind: 'source', source } : { kind: 'join', join },
    slots: collectSlots([...system, ...user, ...source]),
  }
}

function collectSlots(parts: readonly TemplatePart[]): Token[] {
  const slots = new Map<string, Token>()
  for (const part of parts) {
    if (typeof part !== 'string' && !slots.has(part.raw)) slots.set(part.raw, part)
  }
  return [...slots.values()]
}
