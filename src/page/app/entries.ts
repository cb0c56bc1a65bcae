import { NOTE_MEANING } from '../../core/notes.ts'
import { makeVisible } from '../../core/text/visible.ts'
import { formatCount } from '../../core/text/pluralize.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import type { ComparisonClass, DriftView, ListedPrompt, PromptView, UseView } from '../protocol.ts'
import type { PageData } from './connection.ts'

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
  /** The result of a comparison with the service; `undefined` without one since the last change. */
  readonly change: ComparisonClass | undefined
  readonly mentions: readonly Mention[]
  readonly badges: readonly Badge[]
}

/** A prompt that is open, with its texts. */
export interface OpenEntry extends Entry {
  readonly prompt: PromptView
}

/** What entries are made of. */
export type EntrySource = Pick<PageData, 'prompts' | 'changes' | 'service' | 'uses'>

/** The prompts of the lock, by folder and slug. */
export function entriesOf({ prompts, changes, service, uses }: EntrySource): Entry[] {
  const drift = new Map(
    service.kind === 'reached' ? service.drift.map((found) => [found.slug, found]) : [],
  )
  const mentionsOf = mentionFinder(uses.kind === 'analysed' ? uses.modules : [])
  return prompts
    .map((prompt): Entry => {
      const { slug } = prompt
      const change = Object.hasOwn(changes, slug) ? changes[slug] : undefined
      const found = { prompt, change, drift: drift.get(slug), mentions: mentionsOf(slug) }
      return { ...found, badges: badgesOf(found, uses.kind === 'analysed') }
    })
    .toSorted(
      (a, b) =>
        compareCodePoints(a.prompt.folder, b.prompt.folder) ||
        compareCodePoints(a.prompt.slug, b.prompt.slug),
    )
}

/** Indexes the uses once, because a lock may have thousands of prompts. */
function mentionFinder(modules: readonly UseView[]): (slug: string) => Mention[] {
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

function badgesOf(
  { prompt, change, drift, mentions }: Omit<Entry, 'badges'>,
  isAnalysed: boolean,
): Badge[] {
  const { held, noteCount } = prompt
  const isInClient = mentions.some(
    ({ use, lines, indirect }) => use.side === 'client' && lines.length > 0 && !indirect,
  )
  const notes = noteCount === 1 ? 'note' : `${formatCount(noteCount)} notes`
  const found: readonly (Badge | false | undefined)[] = [
    change === 'breaking' &&
      badge('breaking', 'The update changes the variables that calls have to pass.'),
    drift?.kind === 'removed' && badge('removed', 'The service no longer has it.'),
    drift?.kind === 'changed' && updateBadge(prompt, drift),
    held && badge('held', `No pull changes it: ${makeVisible(held.reason)}`),
    isInClient && badge('client', 'Code for the browser imports it.'),
    noteCount > 0 && badge('note', `${NOTE_MEANING}.`, notes),
    isAnalysed && mentions.length === 0 && badge('unused', 'No code of the app uses it.'),
  ]
  return found.filter((each) => typeof each === 'object')
}

function badge(kind: BadgeKind, title: string, label: string = kind): Badge {
  return { kind, label, title }
}

function updateBadge(prompt: ListedPrompt, { version, fields }: DriftView): Badge {
  const label =
    version !== null && version !== prompt.version ? `→ ${makeVisible(version)}` : 'update'
  return badge('update', `The service has a different ${fields.join(' and ')}.`, label)
}

/** The prompts that have a badge. */
export function withBadge(entries: readonly Entry[], wanted: BadgeKind): readonly Entry[] {
  return entries.filter(({ badges }) => badges.some(({ kind }) => kind === wanted))
}

/** How often each value occurs, in the order of their first occurrence. */
export function countBy<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
