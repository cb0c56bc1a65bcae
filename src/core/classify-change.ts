import { lostPrefix, type LostPrefix } from './cacheable-prefix.ts'
import {
  type ChangedPrompt,
  isChanged,
  type PromptChange,
  type PromptField,
  promptVariables,
  type VariableChange,
} from './compare.ts'
import { type PinnedPrompt, type PromptText, promptTexts } from './prompt.ts'
import { findTokens, parseTemplate } from './template.ts'

/** One effect of a change. */
export type ChangeEffect =
  | { readonly kind: 'prompt-added'; readonly variables: readonly string[] }
  | { readonly kind: 'prompt-removed' }
  | { readonly kind: 'variable-added' | 'variable-removed'; readonly name: string }
  /** A guess of {@link detectRename}. */
  | { readonly kind: 'variable-renamed'; readonly from: string; readonly to: string }
  /** Which of system and user text there are. */
  | { readonly kind: 'roles'; readonly before: readonly Role[]; readonly after: readonly Role[] }
  | {
      readonly kind: 'setting'
      readonly field: 'folder' | 'model' | 'temperature'
      readonly before: string | number
      readonly after: string | number
    }
  /** The texts that differ; `source` only if neither of the others does. */
  | { readonly kind: 'text'; readonly fields: readonly PromptText['field'][] }
  /** Providers of models can cache much less of it. Not an error. */
  | ({ readonly kind: 'cacheable-prefix' } & LostPrefix)
  /** The text was not read, so only what the service's list shows is compared. */
  | { readonly kind: 'unread' }

type Role = 'system' | 'user'

/**
 * Returns the changes that can break the app: of a contract, and additions, since they may take an
 * identifier from another prompt and code may need all names. In a first lock there are none.
 */
export function riskyChanges(changes: readonly PromptChange[]): ChangedPrompt[] {
  if (changes.every(({ kind }) => kind === 'added')) return []
  return changes
    .filter(isChanged)
    .filter((change) => change.kind === 'added' || listEffects(change).some(isOfContract))
}

/** Whether an effect is one of the contract: what types can break. */
export function isOfContract(effect: ChangeEffect): boolean {
  if (effect.kind === 'setting') return effect.field === 'model'
  return (
    effect.kind === 'prompt-removed' ||
    effect.kind === 'roles' ||
    effect.kind.startsWith('variable')
  )
}

/** Returns the effects of a change, worst first; none if only the version label differs. */
export function listEffects(change: ChangedPrompt): ChangeEffect[] {
  if (change.kind === 'added')
    return [{ kind: 'prompt-added', variables: promptVariables(change.after) }]
  if (change.kind === 'removed') return [{ kind: 'prompt-removed' }]
  const { before, after, fields } = change
  const settings = SETTINGS.filter((field) => fields.includes(field)).map((field) => ({
    kind: 'setting' as const,
    field,
    before: before[field],
    after: after[field],
  }))
  const roles = { kind: 'roles' as const, before: rolesOf(before), after: rolesOf(after) }
  const texts = (['system', 'user'] as const).filter((field) => fields.includes(field))
  const effects: ChangeEffect[] = [
    ...(roles.before.join() === roles.after.join() ? [] : [roles]),
    ...listVariableEffects(change),
    ...settings.filter(({ field }) => field === 'model'),
  ]
  if (!fields.every(isSetting))
    effects.push({ kind: 'text', fields: texts.length > 0 ? texts : ['source'] })
  const lost = lostPrefix(before, after)
  if (lost !== undefined) effects.push({ kind: 'cacheable-prefix', ...lost })
  return [...effects, ...settings.filter(({ field }) => field !== 'model')]
}

const SETTINGS = ['model', 'folder', 'temperature'] as const satisfies readonly PromptField[]

function rolesOf(prompt: PinnedPrompt): Role[] {
  return (['system', 'user'] as const).filter((role) => prompt[role] !== '')
}

function listVariableEffects({
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
export function isSetting(field: PromptField): boolean {
  return field !== 'system' && field !== 'user' && field !== 'source'
}

/** A variable that was probably renamed. This is a guess. */
interface LikelyRename {
  readonly from: string
  readonly to: string
}

/**
 * Guesses a rename: exactly one variable was removed, exactly one was added, and the new one is in the
 * same place, judging by the order of the tokens or by the text of a line.
 *
 * @returns `undefined` if the change does not look like a rename
 */
export function detectRename(
  before: PinnedPrompt,
  after: PinnedPrompt,
  { added, removed }: VariableChange,
): LikelyRename | undefined {
  const [[from, ...otherOld], [to, ...otherNew]] = [removed, added]
  if (from === undefined || to === undefined || otherOld.length + otherNew.length > 0) {
    return undefined
  }
  const old = listTokenNames(before).map((name) => (name === from ? to : name))
  const hasSameOrder = JSON.stringify(old) === JSON.stringify(listTokenNames(after))
  if (hasSameOrder) return { from, to }
  const now = linesAround(after, to)
  return [...linesAround(before, from)].some((line) => now.has(line)) ? { from, to } : undefined
}

/** The names of all tokens in the order of the texts, with repetitions. */
function listTokenNames(prompt: PinnedPrompt): string[] {
  return promptTexts(prompt).flatMap(({ text }) => [...findTokens(text)].map(({ name }) => name))
}

/** The lines with a variable's token and other text, with a placeholder for the token. */
function linesAround(prompt: PinnedPrompt, name: string): Set<string> {
  const lines = promptTexts(prompt).flatMap(({ text }) =>
    parseTemplate(text)
      .map((part) =>
        typeof part === 'string' ? part : part.name === name ? PLACEHOLDER : part.raw,
      )
      .join('')
      .split('\n'),
  )
  return new Set(lines.filter((line) => line.includes(PLACEHOLDER) && /[\p{L}\p{N}]/u.test(line)))
}

/** An unpaired surrogate, which is in no prompt, since a pull refuses it. */
const PLACEHOLDER = '\ud800'
