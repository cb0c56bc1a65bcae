import {
  comparePrompts,
  type PromptChange,
  type PromptField,
  type ChangedPrompt,
  isChanged,
  type VariableChange,
} from './compare.ts'
import type { PinnedPrompt, PromptText } from './prompt.ts'
import { detectRename, type LikelyRename } from './rename.ts'

/**
 * What a change means to the app, worst first. `breaking`: a variable was added or renamed, or the
 * prompt was removed. `soft`: a variable was removed; extra values are ignored at run time. `text`:
 * only the text differs. `settings`: only model, temperature, folder or version label differ.
 * `added`: a new prompt.
 */
export type ChangeClass = 'breaking' | 'soft' | 'text' | 'settings' | 'added'

/** One effect of a change. */
export type ChangeEffect =
  | { readonly kind: 'prompt-added' | 'prompt-removed' }
  | { readonly kind: 'variable-added' | 'variable-removed'; readonly name: string }
  /** A guess of {@link detectRename}. */
  | { readonly kind: 'variable-renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'text' }
  | { readonly kind: 'setting'; readonly field: SettingField }

/** A field other than the texts. */
export type SettingField = Exclude<PromptField, PromptText['field']>

/** A change other than `unchanged`, with its class and effects. */
export interface ClassifiedChange {
  readonly class: ChangeClass
  readonly change: ChangedPrompt
  /** Worst first. */
  readonly effects: readonly ChangeEffect[]
}

/** The classes in display order. */
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

/** Returns the changes other than `unchanged` with their class, in the order given. */
export function classifyChanges(changes: readonly PromptChange[]): ClassifiedChange[] {
  return changes.filter(isChanged).flatMap((change) => {
    const effects = listEffects(change)
    const [worst] = effects
    return worst === undefined ? [] : [{ class: EFFECT_CLASSES[worst.kind], change, effects }]
  })
}

/**
 * Returns the changes that can break the app: of a contract, and additions, since they may take an
 * identifier from another prompt and code may need all names. In a first lock there are none.
 */
export function riskyChanges(changes: readonly PromptChange[]): ChangedPrompt[] {
  if (changes.every(({ kind }) => kind === 'added')) return []
  return classifyChanges(changes)
    .filter(({ change, effects }) => change.kind === 'added' || effects.some(isContractEffect))
    .map(({ change }) => change)
}

function isContractEffect(effect: ChangeEffect): boolean {
  if (effect.kind === 'setting') return effect.field === 'model'
  return effect.kind !== 'text'
}

/** Compares two snapshots and classifies the changes. */
export function classifySnapshots(
  before: readonly PinnedPrompt[],
  after: readonly PinnedPrompt[],
): ClassifiedChange[] {
  return classifyChanges(comparePrompts(before, after))
}

/** Which fields and variables of a prompt differ; none unless both sides have it. */
export interface ChangedParts {
  readonly fields: readonly PromptField[]
  readonly variables: VariableChange & { readonly renamed: LikelyRename | null }
}

/** Returns what differs in a prompt. */
export function changedParts(change: PromptChange | undefined): ChangedParts {
  if (change?.kind !== 'updated')
    return { fields: [], variables: { added: [], removed: [], renamed: null } }
  const { before, after, fields, variables } = change
  const renamed = detectRename(before, after, variables) ?? null
  return { fields, variables: { ...variables, renamed } }
}

function listEffects(change: ChangedPrompt): ChangeEffect[] {
  if (change.kind === 'added') return [{ kind: 'prompt-added' }]
  if (change.kind === 'removed') return [{ kind: 'prompt-removed' }]
  const { fields } = change
  const effects = listContractEffects(change)
  if (!fields.every(isSetting)) effects.push({ kind: 'text' })
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

/** Whether a field is not one of the texts. */
export function isSetting(field: PromptField): field is SettingField {
  return field !== 'system' && field !== 'user' && field !== 'source'
}
