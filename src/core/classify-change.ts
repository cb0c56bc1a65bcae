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
 * What a change means to the app, worst first. `breaking`: a line of the app stops compiling, as a type
 * check has shown. `contract`: variables, roles or the model differ, or the prompt was removed. `text`: only
 * the text differs. `settings`: only temperature, folder or version label differ. `added`: a new
 * prompt.
 */
export type ChangeClass = 'breaking' | 'contract' | 'text' | 'settings' | 'added'

/** One effect of a change. */
export type ChangeEffect =
  | { readonly kind: 'prompt-added' | 'prompt-removed' }
  | { readonly kind: 'variable-added' | 'variable-removed'; readonly name: string }
  /** A guess of {@link detectRename}. */
  | { readonly kind: 'variable-renamed'; readonly from: string; readonly to: string }
  /** Whether there is a system text, or a user text. */
  | { readonly kind: 'roles' }
  | { readonly kind: 'text' }
  | { readonly kind: 'setting'; readonly field: SettingField }

/** A field other than the texts. */
export type SettingField = Exclude<PromptField, PromptText['field']>

/** A change other than `unchanged`, with its class and effects. */
export interface ClassifiedChange {
  readonly class: ChangeClass
  readonly change: ChangedPrompt
  /** Whether the texts were read; otherwise only what the service's list shows is compared. */
  readonly isRead: boolean
  /** Worst first. */
  readonly effects: readonly ChangeEffect[]
}

/** The classes in display order. */
export const CHANGE_CLASSES: readonly ChangeClass[] = [
  'breaking',
  'contract',
  'text',
  'settings',
  'added',
]

/**
 * Returns the changes other than `unchanged` with their class, in the order given.
 *
 * @param findings - the lines of the app that stop compiling, or are unclear; without a type check there are none
 * @param unread - the prompts whose texts were not read
 */
export function classifyChanges(
  changes: readonly PromptChange[],
  findings: readonly { readonly slug: string | null; readonly kind?: string }[] = [],
  unread: readonly string[] = [],
): ClassifiedChange[] {
  const broken = new Set(findings.flatMap(({ slug, kind }) => (kind === 'unclear' ? [] : [slug])))
  return changes.filter(isChanged).flatMap((change) => {
    const effects = listEffects(change)
    const [worst] = effects
    if (worst === undefined) return []
    const isRead = !unread.includes(change.slug)
    return [
      { class: broken.has(change.slug) ? 'breaking' : classOf(worst), change, isRead, effects },
    ]
  })
}

function classOf(effect: ChangeEffect): ChangeClass {
  if (effect.kind === 'prompt-added') return 'added'
  if (effect.kind === 'text') return 'text'
  if (effect.kind !== 'setting') return 'contract'
  return effect.field === 'model' ? 'contract' : 'settings'
}

/**
 * Returns the changes that can break the app: of a contract, and additions, since they may take an
 * identifier from another prompt and code may need all names. In a first lock there are none.
 */
export function riskyChanges(changes: readonly PromptChange[]): ChangedPrompt[] {
  if (changes.every(({ kind }) => kind === 'added')) return []
  return classifyChanges(changes)
    .filter((each) => ['contract', 'added'].includes(each.class))
    .map(({ change }) => change)
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
  const effects: ChangeEffect[] = listContractEffects(change)
  if (fields.includes('model')) effects.push({ kind: 'setting', field: 'model' })
  if (!fields.every(isSetting)) effects.push({ kind: 'text' })
  const settings = fields.filter(isSetting).filter((field) => field !== 'model')
  return [...effects, ...settings.map((field) => ({ kind: 'setting' as const, field }))]
}

function listContractEffects({
  before,
  after,
  variables,
}: Extract<PromptChange, { kind: 'updated' }>): ChangeEffect[] {
  const roles = (prompt: PinnedPrompt): string => `${prompt.system === ''} ${prompt.user === ''}`
  const changed = roles(before) === roles(after) ? [] : [{ kind: 'roles' as const }]
  const renamed = detectRename(before, after, variables)
  if (renamed !== undefined) return [{ kind: 'variable-renamed', ...renamed }, ...changed]
  return [
    ...changed,
    ...variables.added.map((name) => ({ kind: 'variable-added' as const, name })),
    ...variables.removed.map((name) => ({ kind: 'variable-removed' as const, name })),
  ]
}

/** Whether a field is not one of the texts. */
export function isSetting(field: PromptField): field is SettingField {
  return field !== 'system' && field !== 'user' && field !== 'source'
}
