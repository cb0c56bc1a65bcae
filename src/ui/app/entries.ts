import { compareCodePoints } from '../../core/order.ts'
import type { DriftView, PageState, PromptView, UseView } from '../protocol.ts'

/** What a prompt is marked with in the list, most urgent first. */
export type BadgeKind = 'breaking' | 'removed' | 'update' | 'client' | 'lint' | 'unused'

/** One mark. */
export interface Badge {
  readonly kind: BadgeKind
  readonly label: string
  /** One sentence that says more. */
  readonly title: string
}

/** A module that mentions a prompt. */
export interface Mention {
  readonly use: UseView
  /** Empty where the module takes prompts in a way that can't be read from its text. */
  readonly lines: readonly number[]
}

/** A prompt with everything that is known of it. */
export interface Entry {
  readonly prompt: PromptView
  readonly drift: DriftView | undefined
  readonly mentions: readonly Mention[]
  readonly badges: readonly Badge[]
  /** What search looks through, in lower case. */
  readonly haystack: string
}

/** The prompts of the lock, by folder and slug. */
export function entriesOf(state: PageState): Entry[] {
  if (state.lock.kind === 'fault') return []
  const { service } = state
  const drift = new Map(
    service.kind === 'reached' ? service.drift.map((found) => [found.slug, found]) : [],
  )
  return state.lock.prompts
    .map((prompt) => entryOf(prompt, drift.get(prompt.slug), state))
    .toSorted(
      (a, b) =>
        compareCodePoints(a.prompt.folder, b.prompt.folder) ||
        compareCodePoints(a.prompt.slug, b.prompt.slug),
    )
}

function entryOf(prompt: PromptView, drift: DriftView | undefined, { uses }: PageState): Entry {
  const mentions = (uses ?? []).flatMap((use): Mention[] => {
    const lines = Object.hasOwn(use.mentions, prompt.slug) ? use.mentions[prompt.slug] : undefined
    if (lines !== undefined) return [{ use, lines }]
    return isUnclear(use) ? [{ use, lines: [] }] : []
  })
  const unused = uses !== null && uses.length > 0 && mentions.length === 0
  const { slug, folder, model, system, user, variables } = prompt
  return {
    prompt,
    drift,
    mentions,
    badges: badgesOf({ prompt, drift, mentions, unused }),
    haystack: [slug, folder, model, variables.join(' '), system, user].join('\n').toLowerCase(),
  }
}

/** Whether a module takes prompts by names that its text does not show. */
function isUnclear({ mentions }: UseView): boolean {
  return Object.keys(mentions).length === 0
}

interface Known extends Pick<Entry, 'prompt' | 'drift' | 'mentions'> {
  readonly unused: boolean
}

function badgesOf({ prompt, drift, mentions, unused }: Known): Badge[] {
  const badges: Badge[] = []
  if (prompt.change === 'breaking') {
    badges.push({
      kind: 'breaking',
      label: 'breaking',
      title: 'The update changes what calls have to give.',
    })
  }
  if (drift?.kind === 'removed') {
    badges.push({ kind: 'removed', label: 'removed', title: 'The service has it no more.' })
  }
  if (drift?.kind === 'changed') badges.push(updateBadge(prompt, drift))
  if (mentions.some(({ use, lines }) => use.client && lines.length > 0)) {
    badges.push({ kind: 'client', label: 'client', title: 'Code for the browser imports it.' })
  }
  const { length } = prompt.lints
  if (length > 0) {
    const label = length === 1 ? 'lint' : `${length} lints`
    badges.push({ kind: 'lint', label, title: 'Double braces that are no variable.' })
  }
  if (unused) {
    const title = 'No module that the dev server has loaded so far mentions it.'
    badges.push({ kind: 'unused', label: 'unused', title })
  }
  return badges
}

function updateBadge(prompt: PromptView, { version, fields }: DriftView): Badge {
  const label = version !== null && version !== prompt.version ? `→ ${version}` : 'update'
  return { kind: 'update', label, title: `The service has another ${fields.join(' and ')}.` }
}
