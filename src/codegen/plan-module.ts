import { isSamePrompt, promptRoles, promptVariables } from '../core/compare.ts'
import { type Entry, entriesOf, type PartHead } from '../core/lock/entry.ts'
import { type NameCollision, promptNames, planNames } from '../core/names.ts'
import {
  type Environment,
  findJoin,
  type Lock,
  type PinnedPrompt,
  promptTexts,
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

/** A prompt of a view, which is parsed and verified when it is printed: see {@link promptOf}. */
export interface PlannedPrompt {
  readonly entry: Entry
  /** The part of the entry that the view has. */
  readonly head: PartHead
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
  readonly entries: readonly Entry[]
  readonly environment: Environment
  /** The test view. */
  readonly staging: ModulePlan
}

/** Plans the generated modules of a lock that is verified. */
export function planModule(lock: Lock, environment: Environment): LockPlan {
  return planEntries(entriesOf(lock), environment)
}

/**
 * Plans the generated modules, in the order of the lock. Texts are parsed when they are printed.
 *
 * @param environment - the view of `virtual:prompts`
 */
export function planEntries(entries: readonly Entry[], environment: Environment): LockPlan {
  const plan = planView(entries, environment)
  // With one part of each prompt, both views have it.
  const isOneView = plan.prompts.length === entries.flatMap(({ heads }) => heads).length
  const staging = isOneView ? plan : planView(entries, 'test')
  return { ...plan, entries, environment, staging }
}

function planView(entries: readonly Entry[], environment: Environment): ModulePlan {
  const selected = entries.flatMap((entry) => {
    const head = environment === 'live' ? entry.heads.find(isLive) : entry.heads.at(-1)
    return head ? [{ entry, head }] : []
  })
  const names = planNames(selected.map(({ head }) => head.slug))
  const prompts = selected.map((part) => ({ ...part, names: promptNames(part.head.slug, names) }))
  return { prompts, collisions: names.collisions }
}

function isLive({ environment }: PartHead): boolean {
  return environment === 'live'
}

/** Parses and verifies a prompt, at the first time. */
export function promptOf({ entry, head }: Pick<PlannedPrompt, 'entry' | 'head'>): PinnedPrompt {
  const [live, staging = live] = entry.parts()
  return (isLive(head) ? live : staging) as PinnedPrompt
}

/** The prompts that only staging defines. */
export function planStaged({ prompts, staging }: LockPlan): ModulePlan {
  const served = new Set(prompts.map(({ head }) => head))
  return { ...staging, prompts: staging.prompts.filter(({ head }) => !served.has(head)) }
}

/** The slugs by the names that prompts have in code, in either view. */
export function slugsByName(lock: Lock | undefined): Map<string, string> {
  const named = lock === undefined ? [] : listNames(lock)
  return new Map(named.map(({ name, planned }) => [name, planned.head.slug]))
}

/** The names that prompts have in code: those of the live view, then those of the test view. */
function listNames(
  lock: Lock,
): { environment: Environment; name: string; planned: PlannedPrompt }[] {
  const entries = entriesOf(lock)
  return (['live', 'test'] as const).flatMap((environment) =>
    planView(entries, environment).prompts.flatMap((planned) =>
      planned.names.map((name) => ({ environment, name, planned })),
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
    listNames(lock).map(({ environment, name, planned }) => [
      `${environment} ${name}`,
      promptOf(planned),
    ]),
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
