import { compareCodePoints } from '../../core/text/order.ts'
import type { DriftView, ListedPrompt, PageState, PromptView, UseView } from '../protocol.ts'
import { count } from './numbers.ts'

/** The kinds of badges in the list, most urgent first. */
export type BadgeKind = 'breaking' | 'removed' | 'update' | 'held' | 'client' | 'note' | 'unused'

/** One badge. */
export interface Badge {
  readonly kind: BadgeKind
  readonly label: string
  /** One sentence of explanation. */
  readonly title: string
}

/** A module that uses a prompt. */
export interface Mention {
  readonly use: UseView
  /** Empty if the module uses prompts in a way that its text does not show. */
  readonly lines: readonly number[]
  /** Whether the lines use all prompts, and possibly not this one. */
  readonly indirect: boolean
}

/** A prompt with its drift, uses and badges. */
export interface Entry {
  readonly prompt: ListedPrompt
  readonly drift: DriftView | undefined
  readonly mentions: readonly Mention[]
  readonly badges: readonly Badge[]
}

/** A prompt that is open, with its texts. */
export interface OpenEntry extends Entry {
  readonly prompt: PromptView
}

/** The prompts of the lock, by folder and slug. */
export function entriesOf(state: PageState): Entry[] {
  if (state.lock.kind === 'error') return []
  const { service } = state
  const drift = new Map(
    service.kind === 'reached' ? service.drift.map((found) => [found.slug, found]) : [],
  )
  const { uses } = state
  const mentionsOf = mentionFinder(uses.kind === 'analysed' ? uses.modules : [])
  return state.lock.prompts
    .map((prompt): Entry => {
      const found = { prompt, drift: drift.get(prompt.slug), mentions: mentionsOf(prompt.slug) }
      const isUnused = uses.kind === 'analysed' && found.mentions.length === 0
      return { ...found, badges: badgesOf({ ...found, isUnused }) }
    })
    .toSorted(
      (a, b) =>
        compareCodePoints(a.prompt.folder, b.prompt.folder) ||
        compareCodePoints(a.prompt.slug, b.prompt.slug),
    )
}

type FindMentions = (slug: string) => readonly Mention[]

/** Indexes the uses once, because a lock may have thousands of prompts. */
function mentionFinder(modules: readonly UseView[]): FindMentions {
  const direct = new Map<string, Mention[]>()
  for (const use of modules) {
    for (const [slug, lines] of Object.entries(use.mentions)) {
      direct.set(slug, [...(direct.get(slug) ?? []), { use, lines, indirect: false }])
    }
  }
  const dynamic = modules.filter(({ escapes }) => escapes.length > 0)
  return (slug) => {
    const others = dynamic.filter(({ mentions }) => !Object.hasOwn(mentions, slug))
    const indirect = others.map((use) => ({ use, lines: use.escapes, indirect: true }))
    return [...(direct.get(slug) ?? []), ...indirect]
  }
}

interface BadgeInput extends Pick<Entry, 'prompt' | 'drift' | 'mentions'> {
  /** Whether the code was analysed and does not use the prompt. */
  readonly isUnused: boolean
}

function badgesOf({ prompt, drift, mentions, isUnused }: BadgeInput): Badge[] {
  const badges: Badge[] = []
  if (prompt.change === 'breaking') {
    badges.push({
      kind: 'breaking',
      label: 'breaking',
      title: 'The update changes the variables that calls have to pass.',
    })
  }
  if (drift?.kind === 'removed') {
    badges.push({ kind: 'removed', label: 'removed', title: 'The service no longer has it.' })
  }
  if (drift?.kind === 'changed') badges.push(updateBadge(prompt, drift))
  if (prompt.held !== undefined) {
    badges.push({ kind: 'held', label: 'held', title: `No pull changes it: ${prompt.held.reason}` })
  }
  if (
    mentions.some(
      ({ use, lines, indirect }) => use.side === 'client' && lines.length > 0 && !indirect,
    )
  ) {
    badges.push({ kind: 'client', label: 'client', title: 'Code for the browser imports it.' })
  }
  const { lintCount } = prompt
  if (lintCount > 0) {
    const label = lintCount === 1 ? 'note' : `${count(lintCount)} notes`
    badges.push({ kind: 'note', label, title: "Double braces that aren't variables." })
  }
  if (isUnused)
    badges.push({ kind: 'unused', label: 'unused', title: 'No code of the app uses it.' })
  return badges
}

function updateBadge(prompt: ListedPrompt, { version, fields }: DriftView): Badge {
  const label = version !== null && version !== prompt.version ? `→ ${version}` : 'update'
  return { kind: 'update', label, title: `The service has a different ${fields.join(' and ')}.` }
}
