import { compareCodePoints } from '../../core/text/order.ts'
import type { DriftView, PageState, PromptView, UsesView, UseView } from '../protocol.ts'
import { count } from './numbers.ts'

/** The kinds of badges in the list, most urgent first. */
export type BadgeKind = 'breaking' | 'removed' | 'update' | 'client' | 'lint' | 'unused'

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
  readonly prompt: PromptView
  readonly drift: DriftView | undefined
  readonly mentions: readonly Mention[]
  readonly badges: readonly Badge[]
  /** The text that is searched, in lower case. */
  readonly haystack: string
}

/** The prompts of the lock, by folder and slug. */
export function entriesOf(state: PageState): Entry[] {
  if (state.lock.kind === 'error') return []
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
  const modules = 'modules' in uses ? uses.modules : []
  const mentions = modules.flatMap((use): Mention[] => {
    const lines = Object.hasOwn(use.mentions, prompt.slug) ? use.mentions[prompt.slug] : undefined
    if (lines !== undefined) return [{ use, lines, indirect: false }]
    return usesDynamically(use) ? [{ use, lines: use.escapes, indirect: true }] : []
  })
  // Before a dev server has loaded a module, nothing is known about uses.
  const isKnown = uses.kind === 'analysed' || modules.length > 0
  const unused = isKnown && mentions.length === 0
  const { slug, folder, model, system, user, variables } = prompt
  return {
    prompt,
    drift,
    mentions,
    badges: badgesOf({ prompt, drift, mentions, unused: unused ? uses.kind : undefined }),
    haystack: [slug, folder, model, variables.join(' '), system, user].join('\n').toLowerCase(),
  }
}

/** Whether a module accesses prompts by names that its text does not show. */
function usesDynamically({ mentions, escapes }: UseView): boolean {
  return escapes.length > 0 || Object.keys(mentions).length === 0
}

interface BadgeInput extends Pick<Entry, 'prompt' | 'drift' | 'mentions'> {
  /** The source of the finding that nothing uses the prompt. */
  readonly unused: UsesView['kind'] | undefined
}

function badgesOf({ prompt, drift, mentions, unused }: BadgeInput): Badge[] {
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
  if (
    mentions.some(
      ({ use, lines, indirect }) => use.side === 'client' && lines.length > 0 && !indirect,
    )
  ) {
    badges.push({ kind: 'client', label: 'client', title: 'Code for the browser imports it.' })
  }
  const { lintCount } = prompt
  if (lintCount > 0) {
    const label = lintCount === 1 ? 'lint' : `${count(lintCount)} lints`
    badges.push({ kind: 'lint', label, title: "Double braces that aren't variables." })
  }
  if (unused !== undefined) {
    const title =
      unused === 'loaded'
        ? 'No module that the dev server has loaded so far uses it.'
        : 'No code of the app uses it.'
    badges.push({ kind: 'unused', label: 'unused', title })
  }
  return badges
}

function updateBadge(prompt: PromptView, { version, fields }: DriftView): Badge {
  const label = version !== null && version !== prompt.version ? `→ ${version}` : 'update'
  return { kind: 'update', label, title: `The service has a different ${fields.join(' and ')}.` }
}
