import { commandOf } from './commands.ts'
import { copyText } from './copy.ts'
import { type Place, SEARCH, VIEWS } from './route.ts'
import { searchEntries } from './search.ts'
import { chooseTheme } from './theme.ts'
import type { PageContents } from './use-page.ts'
import type { Router } from './use-route.ts'

/** One line of the palette. */
export interface Command {
  readonly group: 'Prompts' | 'Views' | 'Actions'
  /** Each label of a group is another. */
  readonly label: string
  /** Shown next to the label. */
  readonly hint: string
  readonly run: () => void
}

/** What the commands act on. */
export interface CommandContext extends Pick<PageContents, 'state' | 'entries' | 'check'> {
  readonly router: Router
  readonly showShortcuts: () => void
}

/** The commands that fit a text, in the order in which the palette shows them. */
export function commandsFor(text: string, context: CommandContext): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ label, hint }: Command): boolean => {
    const shown = `${label} ${hint}`.toLowerCase()
    return words.every((word) => shown.includes(word))
  }
  const others = [...views(context), ...actions(context)].filter(fits)
  return [...promptCommands(text, context), ...others]
}

/** The maximum number of prompts in the palette. */
const PROMPTS = 8

/** The palette finds names only: texts would need an answer of the server. */
const NO_TEXTS = { has: () => false, isPending: false } as const

function promptCommands(text: string, { entries, router }: CommandContext): Command[] {
  const found = searchEntries(entries, text, NO_TEXTS).slice(0, PROMPTS)
  return found.map(({ prompt: { slug, folder } }) => ({
    group: 'Prompts',
    label: slug,
    hint: folder,
    run: () => router.go({ kind: 'prompt', slug, view: 'text' }),
  }))
}

function views({ router: { route, go } }: CommandContext): Command[] {
  const { place } = route
  const opening = (to: Place, label: string, hint: string): Command => {
    return { group: 'Views', label, hint, run: () => go(to) }
  }
  const ofPrompt =
    place.kind === 'prompt'
      ? VIEWS.map(({ view, label }) => opening({ ...place, view }, label, place.slug))
      : []
  return [
    ...ofPrompt,
    opening({ kind: 'overview' }, 'Overview', 'All prompts'),
    opening({ kind: 'changes' }, 'Changes', 'Updates waiting'),
  ]
}

function actions({ state, router, check, showShortcuts }: CommandContext): Command[] {
  const action = (label: string, run: () => void, hint = ''): Command => {
    return { group: 'Actions', label, hint, run }
  }
  const pull = commandOf(state, 'pull') ?? ''
  return [
    action('Copy the command to pull', () => void copyText(pull), pull),
    action('Check the service now', check),
    action('Show unused prompts', () => router.set(SEARCH, 'is:unused')),
    action('Show changed prompts', () => router.set(SEARCH, 'is:update')),
    action('Light theme', () => chooseTheme('light')),
    action('Dark theme', () => chooseTheme('dark')),
    action('Theme of the system', () => chooseTheme('system')),
    action('Show keyboard shortcuts', showShortcuts, '?'),
  ]
}
