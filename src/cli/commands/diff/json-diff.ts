import type { PromptChange } from '../../../core/compare.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import type { Environment, PromptText } from '../../../core/prompt.ts'
import type { DiffReport } from '../../../features/diff/diff.ts'
import type { UsageReport } from '../../../features/usage/usage.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { changedTexts } from '../../output/changed-texts.ts'
import { changeJson, type ChangeJson } from '../../output/json.ts'

/** One prompt of `prompts diff --json`; texts are as served: escape them before showing. */
export interface DiffPromptJson extends ChangeJson {
  /** `null` where there is no prompt. */
  readonly settings: {
    readonly before: SettingsJson | null
    readonly after: SettingsJson | null
  }
  /** The texts that differ, whole. */
  readonly texts: readonly {
    readonly field: PromptText['field']
    readonly before: string | null
    readonly after: string | null
  }[]
  /** Only with `--usage`: the files that use the prompt, directly or through imports. */
  readonly files?: readonly string[]
}

/** What stands beside a prompt's text. */
export interface SettingsJson {
  readonly folder: string
  readonly model: string
  readonly temperature: number
}

/** `prompts diff --json`. */
export interface DiffJson {
  /** What the lock holds and what the service served. */
  readonly environment: { readonly before: Environment; readonly after: Environment }
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly DiffPromptJson[]
  readonly unchanged: number
  /** Held prompts, which are compared only if they are named, and what they wait for; not with `--base`. */
  readonly held?: readonly HeldPrompt[]
  /** Only with `--impact`: what would stop working. Reasons and messages may hold remote text. */
  readonly impact?: readonly ImpactFinding[]
  /** In the service's own words; not with `--base`. */
  readonly planStatus?: string
  /** Single reads, which plans commonly meter; not with `--base`. */
  readonly reads?: number
}

/** A comparison as JSON. */
export function diffJson(
  { changes, ...service }: DiffReport,
  sides: Pick<DiffJson, 'environment' | 'lock'>,
  usage?: UsageReport,
): DiffJson {
  const filesOf = new Map(usage?.prompts.map(({ slug, files }) => [slug, files]))
  const prompts = changes.flatMap(promptJson).map((prompt) => {
    const files = filesOf.get(prompt.slug) ?? []
    return usage === undefined ? prompt : { ...prompt, files }
  })
  return { ...sides, prompts, unchanged: changes.length - prompts.length, ...service }
}

function promptJson(change: PromptChange): DiffPromptJson[] {
  const settings = {
    before: 'before' in change ? settingsJson(change.before) : null,
    after: 'after' in change ? settingsJson(change.after) : null,
  }
  const texts = changedTexts(change).map(({ field, before, after }) => ({
    field,
    before: before ?? null,
    after: after ?? null,
  }))
  return changeJson(change).map((base) => ({ ...base, settings, texts }))
}

function settingsJson({ folder, model, temperature }: SettingsJson): SettingsJson {
  return { folder, model, temperature }
}
