import { comparePrompts, type PromptChange, type PromptField } from './compare.ts'
import type { PinnedPrompt } from './prompt.ts'
import { detectRename } from './rename.ts'

/**
 * What a change means to the app, the worst first. `breaking`: a variable is new or renamed, or
 * the prompt is gone. `soft`: a variable is gone, which an app may go on giving at run time.
 * `text`: only what the model reads. `settings`: only model, temperature, folder or the label.
 * `added`: a prompt that nobody can use yet.
 */
export type ChangeClass = 'breaking' | 'soft' | 'text' | 'settings' | 'added'

/** One thing that a change does to a prompt. */
export type ChangeEffect =
  | { readonly kind: 'prompt-added' | 'prompt-removed' }
  | { readonly kind: 'variable-added' | 'variable-removed'; readonly name: string }
  /** A guess of {@link likelyRename}. */
  | { readonly kind: 'variable-renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'text' }
  | { readonly kind: 'setting'; readonly field: SettingField }

/** A field that no text and no type but the label's depends on. */
export type SettingField = Exclude<PromptField, 'system' | 'user' | 'source'>

/** A change that is one, with its class and all that it does. */
export interface ClassifiedChange {
  readonly class: ChangeClass
  readonly change: Exclude<PromptChange, { kind: 'unchanged' }>
  /** Worst first. */
  readonly effects: readonly ChangeEffect[]
}

/** The classes in the order in which a reader should meet them. */
export const CHANGE_CLASSES: readonly ChangeClass[] = [
  'breaking',
  'soft',
  'text',
  'settings',
  'added',
]

const EFFECT_CLASSES: Readonly<Record<ChangeEffect['kind'], ChangeClass>> = {
  'prompt-removed': 'breaking',
  'variable-added': 'breaking',
  'variable-renamed': 'breaking',
  'variable-removed': 'soft',
  text: 'text',
  setting: 'settings',
  'prompt-added': 'added',
}

/** The changes that change something, each with its class, in the order given. */
export function classifyChanges(changes: readonly PromptChange[]): ClassifiedChange[] {
  return changes.flatMap((change) => {
    if (change.kind === 'unchanged') return []
    const effects = listEffects(change)
    const [worst] = effects
    return worst === undefined ? [] : [{ class: EFFECT_CLASSES[worst.kind], change, effects }]
  })
}

/** The changes that calls of the app may not compile with: a prompt is gone, or takes other variables. */
export function contractChanges(changes: readonly PromptChange[]): ClassifiedChange[] {
  return classifyChanges(changes).filter((change) => ['breaking', 'soft'].includes(change.class))
}

/** The same for two snapshots. */
export function classifySnapshots(
  before: readonly PinnedPrompt[],
  after: readonly PinnedPrompt[],
): ClassifiedChange[] {
  return classifyChanges(comparePrompts(before, after))
}

function listEffects(change: ClassifiedChange['change']): ChangeEffect[] {
  if (change.kind === 'added') return [{ kind: 'prompt-added' }]
  if (change.kind === 'removed') return [{ kind: 'prompt-removed' }]
  const { fields } = change
  const effects = listContractEffects(change)
  if (fields.some((field) => !isSetting(field))) effects.push({ kind: 'text' })
  const settings = fields.filter(isSetting)
  return [...effects, ...settings.map((field) => ({ kind: 'setting' as const, field }))]
}

function listContractEffects({
  before,
  after,
  variables,
}: Extract<PromptChange, { kind: 'updated' }>): ChangeEffect[] {
  const renamed = detectRename(before, after, variables)
  if (renamed !== undefined) return [{ kind: 'variable-renamed', ...renamed }]
  return [
    ...variables.added.map((name) => ({ kind: 'variable-added' as const, name })),
    ...variables.removed.map((name) => ({ kind: 'variable-removed' as const, name })),
  ]
}

function isSetting(field: PromptField): field is SettingField {
  return field !== 'system' && field !== 'user' && field !== 'source'
}
