import type { PromptSettings } from './settings.ts'
import { compareCodePoints, indexBySlug } from './text/order.ts'

/** `live`, or `test` for staging: a part of the lock, the view that code gets, and the kind of a key. */
export type Environment = 'live' | 'test'

/**
 * One part of a prompt in the lock: its live version, or its staging version. `source` is the text that the
 * service returns for system and user together.
 */
export interface PinnedPrompt extends PromptSettings {
  /** Which part it is; `test` for a staging version. */
  readonly environment: Environment
  readonly system: string
  /** Empty when the prompt has no user text. */
  readonly user: string
  readonly source: string
  /** Set if pulls keep the part as it is pinned. */
  readonly held?: Hold | undefined
}

/** Why a part is held. The hash of the prompt itself does not cover it. */
interface Hold {
  readonly reason: string
}

/** The committed snapshot of a workspace. */
export interface Lock {
  /** By code point of the slug; the live part of a prompt before its staging part. */
  readonly parts: readonly PinnedPrompt[]
}

/** The prompts that a module serves, each once. */
export interface View {
  readonly environment: Environment
  /** By code point of the slug. */
  readonly prompts: readonly PinnedPrompt[]
}

/**
 * A view of a lock: the live parts; or for `test` the staging part where there is one, and the live part
 * elsewhere.
 */
export function viewOf({ parts }: Lock, environment: Environment): View {
  if (environment === 'live')
    return { environment, prompts: parts.filter((part) => part.environment === 'live') }
  const isReplaced = (slug: string, index: number): boolean => parts[index + 1]?.slug === slug
  return { environment, prompts: parts.filter(({ slug }, index) => !isReplaced(slug, index)) }
}

/** Each prompt of a lock once: its live part with its staging part, or the only one that it has. */
export function pairParts(
  lock: Lock,
): { readonly prompt: PinnedPrompt; readonly staging: PinnedPrompt | null }[] {
  const live = indexBySlug(viewOf(lock, 'live').prompts)
  return viewOf(lock, 'test').prompts.map((part) => {
    const prompt = live.get(part.slug) ?? part
    return { prompt, staging: part === prompt ? null : part }
  })
}

/** What tells the parts of a lock apart. */
export type PartId = Pick<PinnedPrompt, 'slug' | 'environment'>

export function partKey({ slug, environment }: PartId): string {
  return `${environment} ${slug}`
}

export function indexParts<Part extends PartId>(parts: Iterable<Part>): Map<string, Part> {
  return new Map([...parts].map((part) => [partKey(part), part]))
}

/** Names a part for a person: `triage`, or `triage (staging)`. */
export function describePart(
  { slug, environment }: PartId,
  show: (text: string) => string = (text) => text,
): string {
  return environment === 'live' ? show(slug) : `${show(slug)} (staging)`
}

export function sortParts(parts: Iterable<PinnedPrompt>): PinnedPrompt[] {
  const rank = ({ environment }: PinnedPrompt): number => (environment === 'live' ? 0 : 1)
  return [...parts].toSorted((a, b) => compareCodePoints(a.slug, b.slug) || rank(a) - rank(b))
}

/** A lock with parts in place of those that it has, if it has them. */
export function withParts(lock: Lock, parts: readonly PinnedPrompt[]): Lock {
  return { parts: sortParts(indexParts([...lock.parts, ...parts]).values()) }
}

/** Listed, because `\s` depends on the Unicode version of Node and the lock format does not. */
const WHITE_SPACE = /^[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$/

/** Whether a text can be the join of a lock entry. */
export function isJoin(text: string): boolean {
  return WHITE_SPACE.test(text)
}

/**
 * Returns the white space between system and user text in `source`.
 *
 * @returns `undefined` if `source` is not system text, white space and user text
 */
export function findJoin({
  system,
  user,
  source,
}: Pick<PinnedPrompt, 'system' | 'user' | 'source'>): string | undefined {
  const join = source.slice(system.length, Math.max(system.length, source.length - user.length))
  return isJoin(join) && source === system + join + user ? join : undefined
}

/** Returns system and user text together: with a blank line between them by default, or the only one. */
export function joinTexts({ system, user }: EditableTexts, join: string = '\n\n'): string {
  return [system, user].filter((text) => text !== '').join(join)
}

/** A text that the lock has in full. */
export interface PromptText {
  readonly field: 'system' | 'user' | 'source'
  readonly text: string
}

/** The most bytes of a text. Code that takes texts relies on it. */
export const MAX_TEXT: number = 10 * 1024 * 1024

/** The two texts that a prompt is edited in. */
export type EditableTexts = Pick<PinnedPrompt, 'system' | 'user'>

/** The end of the label of a prompt whose text is not the service's. */
const EDITED = '-edited'

/** Whether the text of a prompt was edited here. It may be held no longer. */
export function isEdited({ version }: Pick<PinnedPrompt, 'version'>): boolean {
  return version.endsWith(EDITED)
}

/**
 * Returns a prompt with other texts, held, and with a label that says so; itself if they are equal. The label is never
 * the pinned one, which the service may have, except at another edit of a held one.
 */
export function editPrompt(
  prompt: PinnedPrompt,
  { system, user }: EditableTexts,
  reason: string = prompt.held?.reason ?? '',
): PinnedPrompt {
  if (system === prompt.system && user === prompt.user) return prompt
  const hasBoth = prompt.system !== '' && prompt.user !== ''
  const source = joinTexts({ system, user }, hasBoth ? findJoin(prompt) : undefined)
  const version = prompt.held && isEdited(prompt) ? prompt.version : prompt.version + EDITED
  return { ...prompt, version, system, user, source, held: { reason } }
}

/** Returns the texts of a prompt; `source` only if it is not a join of the other two. */
export function promptTexts(prompt: PinnedPrompt): PromptText[] {
  const texts: PromptText[] = [
    { field: 'system', text: prompt.system },
    { field: 'user', text: prompt.user },
  ]
  if (findJoin(prompt) === undefined) texts.push({ field: 'source', text: prompt.source })
  return texts
}
