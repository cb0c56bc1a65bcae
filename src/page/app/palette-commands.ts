import { commandOf } from './commands.ts'
import { copyText } from './copy.ts'
import { SEARCH, type View } from './route.ts'
import { searchEntries } from './search.ts'
import { chooseTheme, type Theme } from './theme.ts'
import type { PageContents } from './use-page.ts'
import type { Router } from './use-route.ts'

/** One line of the palette. */
export interface Command {
  readonly id: string
  readonly group: 'Prompts' | 'Views' | 'Actions'
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

/** The maximum number of prompts in the palette. */
const PROMPTS = 8

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

/** The palette finds names only: texts would need an answer of the server. */
const NO_TEXTS = { has: () => false, isPending: false } as const

function promptCommands(text: string, { entries, router }: CommandContext): Command[] {
  return searchEntries(entries, text, NO_TEXTS)
    .slice(0, PROMPTS)
    .map(({ prompt: { slug, folder } }) => ({
      id: `prompt ${slug}`,
      group: 'Prompts',
      label: slug,
      hint: folder,
      run: () => router.go({ kind: 'prompt', slug, view: 'text' }),
    }))
}

const VIEWS: Readonly<Record<View, string>> = { text: 'Text', try: 'Try it', compare: 'Compare' }

function views({ router }: CommandContext): Command[] {
  const { place } = router.route
  const group = 'Views'
  const ofPrompt =
    place.kind === 'prompt'
      ? (Object.keys(VIEWS) as View[]).map((view): Command => ({
          id: `view ${view}`,
          group,
          label: VIEWS[view],
          hint: place.slug,
          run: () => router.go({ ...place, view }),
        }))
      : []
  return [
    ...ofPrompt,
    opening('overview', 'Overview', 'All prompts', router),
    opening('changes', 'Changes', 'Updates waiting', router),
  ]
}

function opening(
  kind: 'overview' | 'changes',
  label: string,
  hint: string,
  router: Router,
): Command {
  return { id: kind, group: 'Views', label, hint, run: () => router.go({ kind }) }
}

function actions({ state, router, check, showShortcuts }: CommandContext): Command[] {
  return [
    copying('Copy the command to pull', commandOf(state, 'pull') ?? ''),
    action('Check the service now', '', check),
    action('Show unused prompts', '', () => router.set(SEARCH, 'is:unused')),
    action('Show changed prompts', '', () => router.set(SEARCH, 'is:update')),
    theme('light', 'Light theme'),
    theme('dark', 'Dark theme'),
    theme('system', 'Theme of the system'),
    action('Show keyboard shortcuts', '?', showShortcuts),
  ]
}

function action(label: string, hint: string, run: () => void): Command {
  return { id: label, group: 'Actions', label, hint, run }
}

function copying(label: string, text: string): Command {
  return action(label, text, () => void copyText(text))
}

function theme(name: Theme, label: string): Command {
  return action(label, '', () => chooseTheme(name))
}
