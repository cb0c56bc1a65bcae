import { isSamePrompt, promptRoles, promptVariables } from '../core/compare.ts'
import { type NameCollision, promptNames, planNames } from '../core/names.ts'
import {
  type Environment,
  findJoin,
  type Lock,
  type PinnedPrompt,
  promptTexts,
  type View,
  viewOf,
} from '../core/prompt.ts'
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

export interface PlannedPrompt {
  readonly prompt: PinnedPrompt
  /** Slug and identifier: the export names. In the module for one importer, those that it uses. */
  readonly names: readonly string[]
}

export interface ModulePlan {
  readonly prompts: readonly PlannedPrompt[]
  /** The identifiers that several of them would have, and so none has. */
  readonly collisions: readonly NameCollision[]
}

/** The plan of `virtual:prompts`, and that of `virtual:prompts/staging`. */
export interface LockPlan extends ModulePlan {
  readonly lock: Lock
  readonly environment: Environment
  /** The test view. */
  readonly staging: ModulePlan
}

/**
 * Plans the generated modules, in the order of the lock. Texts are parsed when they are printed.
 *
 * @param environment - the view of `virtual:prompts`
 */
export function planModule(lock: Lock, environment: Environment): LockPlan {
  const plan = planView(viewOf(lock, environment))
  // With one part of each prompt, both views have it.
  const isOneView = plan.prompts.length === lock.parts.length
  const staging = isOneView ? plan : planView(viewOf(lock, 'test'))
  return { ...plan, lock, environment, staging }
}

function planView({ prompts }: View): ModulePlan {
  const names = planNames(prompts.map(({ slug }) => slug))
  const planned = prompts.map((prompt) => ({ prompt, names: promptNames(prompt.slug, names) }))
  return { prompts: planned, collisions: names.collisions }
}

/** The prompts that only staging defines. */
export function planStaged({ prompts, staging }: LockPlan): ModulePlan {
  const served = new Set(prompts.map(({ prompt }) => prompt))
  return { ...staging, prompts: staging.prompts.filter(({ prompt }) => !served.has(prompt)) }
}

/** The slugs by the names that prompts have in code, in either view. */
export function slugsByName(lock: Lock | undefined): Map<string, string> {
  const named = lock === undefined ? [] : listNames(lock)
  return new Map(named.map(({ name, prompt }) => [name, prompt.slug]))
}

/** The names that prompts have in code: those of the live view, then those of the test view. */
function listNames(lock: Lock): { environment: Environment; name: string; prompt: PinnedPrompt }[] {
  return (['live', 'test'] as const).flatMap((environment) =>
    planView(viewOf(lock, environment)).prompts.flatMap(({ names, prompt }) =>
      names.map((name) => ({ environment, name, prompt })),
    ),
  )
}

/** Returns the names in code whose contract differs, for each view in which it does. Nothing else can break types. */
export function changedContracts(before: Lock, after: Lock): string[] {
  const [old, now] = [promptsByName(before), promptsByName(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [one, other] = [old.get(key), now.get(key)]
    if (one && other && hasSameContract(one, other)) return []
    return key.slice(key.indexOf(' ') + 1)
  })
}

/** The prompts by view and name: `live support-triage`. */
function promptsByName(lock: Lock): Map<string, PinnedPrompt> {
  return new Map(
    listNames(lock).map(({ environment, name, prompt }) => [`${environment} ${name}`, prompt]),
  )
}

function hasSameContract(one: PinnedPrompt, other: PinnedPrompt): boolean {
  const contract = (prompt: PinnedPrompt): string => {
    const { slug, model } = prompt
    return JSON.stringify([slug, model, promptRoles(prompt), promptVariables(prompt)])
  }
  return isSamePrompt(one, other) || contract(one) === contract(other)
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
