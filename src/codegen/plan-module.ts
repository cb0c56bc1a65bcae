import { type NamePlan, promptNames, planNames } from '../core/names.ts'
import { type Lock, type PinnedPrompt, findJoin, promptTexts } from '../core/prompt.ts'
import { parseTemplate, type TemplatePart } from '../core/template.ts'

/** What `virtual:prompts` exports besides the prompts. */
export const APP_EXPORTS: readonly string[] = [
  'PromptVariableError',
  'toAISDK',
  'toAISDK6',
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

/** The texts of a prompt, split at their tokens, as `compose` of the runtime takes them. */
export interface PlannedTexts {
  /** System and user text, and the whole source if it is not a join of the two. */
  readonly texts: readonly (readonly TemplatePart[])[]
  /** The white space between system and user text; empty if there is a source. */
  readonly join: string
}

/** Splits the texts of a prompt at their tokens. */
export function planTexts(prompt: PinnedPrompt): PlannedTexts {
  const texts = promptTexts(prompt).map(({ text }) => parseTemplate(text))
  return { texts, join: findJoin(prompt) ?? '' }
}
