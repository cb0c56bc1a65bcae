import { isSamePrompt } from '../core/compare.ts'
import { promptNames, planNames } from '../core/names.ts'
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
  /**
   * Its definition is called `p<index>`: the position in the lock. A prompt of the test lock that equals
   * the one of the live lock has its index; those of the others follow the live lock's.
   */
  readonly index: number
  /** Slug and identifier: the export names. In the module for one importer, those that it uses. */
  readonly names: readonly string[]
}

/** The prompts of a lock with their names in the app. */
export interface ModulePlan {
  readonly environment: Lock['environment']
  readonly prompts: readonly PlannedPrompt[]
  /** The plan of `virtual:prompts/staging`, if there is a test lock. */
  readonly staging?: ModulePlan | undefined
}

/** Plans the generated modules, in the order of the lock. Texts are parsed when they are printed. */
export function planModule(lock: Lock, testLock?: Lock): ModulePlan {
  const names = planNames(lock.prompts.map(({ slug }) => slug))
  const plan = {
    environment: lock.environment,
    prompts: lock.prompts.map((prompt, index) => ({
      prompt,
      index,
      names: promptNames(prompt.slug, names),
    })),
  }
  return testLock === undefined ? plan : withStaging(plan, planModule(testLock))
}

/** The slugs by the names of prompts in code. */
export function slugsByName(plan: ModulePlan | undefined): Map<string, string> {
  const prompts = plan?.prompts ?? []
  return new Map(
    prompts.flatMap(({ names, prompt: { slug } }) => names.map((name) => [name, slug])),
  )
}

/** Adds the plan of the test lock to that of the live lock. */
export function withStaging(plan: ModulePlan, staging: ModulePlan): ModulePlan {
  const pinned = new Map(plan.prompts.map((planned) => [planned.prompt.slug, planned]))
  const prompts = staging.prompts.map((planned) => {
    const live = pinned.get(planned.prompt.slug)
    const isSame = isSamePrompt(planned.prompt, live?.prompt)
    return { ...planned, index: live && isSame ? live.index : plan.prompts.length + planned.index }
  })
  return { ...plan, staging: { ...staging, prompts } }
}

/** Whether a prompt has its definition in the lock, and not in the test lock beside it. */
export function isDefinedIn({ prompts }: ModulePlan, { index }: PlannedPrompt): boolean {
  return index < prompts.length
}

/** The prompts that the test lock defines: those that differ from the lock beside it. */
export function planDifferent(plan: ModulePlan): ModulePlan {
  const { staging = { ...plan, prompts: [] } } = plan
  return { ...staging, prompts: staging.prompts.filter((prompt) => !isDefinedIn(plan, prompt)) }
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
