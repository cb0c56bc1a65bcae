import { changeSides, type PromptChange } from '../../../core/compare.ts'
import type { HeldPrompt } from '../../../core/drift.ts'
import type { Environment, PromptText } from '../../../core/prompt.ts'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { changedTexts } from '../../output/changed-texts.ts'
import type { Comparison } from './read-comparison.ts'
import { changeJson, type ChangeJson } from '../../output/json.ts'

/** One prompt of `prompts diff --json`. Texts are unescaped. */
export interface DiffPromptJson extends ChangeJson {
  /** `null` if that side has no such prompt. */
  readonly settings: {
    readonly before: SettingsJson | null
    readonly after: SettingsJson | null
  }
  /** The full text of the fields that differ. */
  readonly texts: readonly {
    readonly field: PromptText['field']
    readonly before: string | null
    readonly after: string | null
  }[]
  /** Only with `--usage`: the files that use the prompt, directly or through imports. */
  readonly files?: readonly string[]
}

/** The settings of a prompt. */
export interface SettingsJson {
  readonly folder: string
  readonly model: string
  readonly temperature: number
}

/** `prompts diff --json`. */
export interface DiffJson {
  /** The environments of the lock and of the service. */
  readonly environment: { readonly before: Environment; readonly after: Environment }
  /** Path of the lock, absolute. */
  readonly lock: string
  readonly prompts: readonly DiffPromptJson[]
  readonly unchanged: number
  /** Held prompts and their pending updates; compared only if named, and not with `--base`. */
  readonly held?: readonly HeldPrompt[]
  /** Only with `--impact`: code that would break. Reasons and messages may contain remote text. */
  readonly impact?: readonly ImpactFinding[]
  /** In the service's own words; not with `--base`. */
  readonly planStatus?: string
  /** Single reads, which plans commonly meter; not with `--base`. */
  readonly reads?: number
}

/** A comparison as JSON. */
export function diffJson({ environment, lock, report, impact, usage }: Comparison): DiffJson {
  const { changes, ...service } = report
  const filesOf = new Map(usage?.prompts.map(({ slug, files }) => [slug, files]))
  const prompts = changes.flatMap(promptJson).map((prompt) => {
    const files = filesOf.get(prompt.slug) ?? []
    return usage === undefined ? prompt : { ...prompt, files }
  })
  const unchanged = changes.length - prompts.length
  const code = impact === undefined ? {} : { impact: impact.findings }
  return { environment, lock: lock.path, prompts, unchanged, ...service, ...code }
}

function promptJson(change: PromptChange): DiffPromptJson[] {
  if (change.kind === 'unchanged') return []
  const { before, after } = changeSides(change)
  const settings = { before: settingsJson(before), after: settingsJson(after) }
  const texts = changedTexts(change).map(({ field, before: old, after: now }) => ({
    field,
    before: old ?? null,
    after: now ?? null,
  }))
  return changeJson(change).map((base) => ({ ...base, settings, texts }))
}

function settingsJson(prompt: SettingsJson | undefined): SettingsJson | null {
  if (prompt === undefined) return null
  const { folder, model, temperature } = prompt
  return { folder, model, temperature }
}
