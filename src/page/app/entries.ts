import { planNames } from '../../core/names.ts'
import { findJoin, isEdited } from '../../core/prompt.ts'
import { promptVariables } from '../../core/compare.ts'
import { findNotes, type Note, NOTE_MEANING } from '../../core/notes.ts'
import { countCharacters } from '../../core/text/characters.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { makeVisible } from '../../core/text/sanitize.ts'
import type { UsageSite } from '../../features/usage/usage.ts'
import type { ListedPrompt, PageRow, ServiceView, UsesView } from '../protocol.ts'

/** A prompt with what its texts contain. */
export interface PromptView extends ListedPrompt {
  /** The name in `prompts.…`; `null` if only `prompts[slug]` works. */
  readonly identifier: string | null
  /** In order of first appearance. */
  readonly variables: readonly string[]
  /** The separator of system and user in `source`; `null` if `source` is not the two joined. */
  readonly join: string | null
  /** Double braces that aren't variables: the first ones, and how many there are. */
  readonly notes: readonly Note[]
  readonly noteCount: number
}

/** One badge. */
export interface Badge {
  readonly kind: 'removed' | 'update' | 'edited' | 'held' | 'note' | 'unused'
  readonly label: string
  /** One sentence of explanation. */
  readonly title: string
}

/** A prompt of the lock in the list. */
export interface Entry {
  readonly prompt: ListedPrompt
  /** The change that waits in the service. */
  readonly row: PageRow | undefined
  readonly sites: readonly UsageSite[]
  /** The most urgent one. */
  readonly badge: Badge | undefined
}

/** Compares names as people do: `team-2` before `team-10`. */
const naturally: (a: string, b: string) => number = new Intl.Collator('en', {
  numeric: true,
}).compare

/** What entries are made of. */
interface EntrySource {
  readonly prompts: readonly ListedPrompt[]
  readonly service: ServiceView
  readonly uses: UsesView
}

/** The prompts of the lock, by folder and slug. */
export function entriesOf({ prompts, service, uses }: EntrySource): Entry[] {
  const rows = new Map(
    service.kind === 'reached' ? service.changes.map((row) => [row.slug, row]) : [],
  )
  const sites = new Map<string, UsageSite[]>()
  for (const site of uses.kind === 'analysed' ? uses.sites : []) {
    const known = sites.get(site.slug)
    if (known === undefined) sites.set(site.slug, [site])
    else known.push(site)
  }
  const mayBeUnused = uses.kind === 'analysed' && uses.escapes.length === 0
  return prompts
    .map((prompt): Entry => {
      const entry = { prompt, row: rows.get(prompt.slug), sites: sites.get(prompt.slug) ?? [] }
      return { ...entry, badge: badgeOf(entry, mayBeUnused) }
    })
    .toSorted(
      (a, b) =>
        naturally(a.prompt.folder, b.prompt.folder) || naturally(a.prompt.slug, b.prompt.slug),
    )
}

/** What happens to a prompt that was edited here and is released. */
export const RELEASED = 'The next pull brings the text of the service back.'

function badgeOf(
  { prompt, row, sites }: Omit<Entry, 'badge'>,
  mayBeUnused: boolean,
): Badge | undefined {
  const { held, version } = prompt
  if (row?.kind === 'removed')
    return { kind: 'removed', label: 'removed', title: 'The service no longer has it.' }
  if (row !== undefined) {
    const { after } = row.version
    const label = after === null || after === version ? 'update' : `→ ${makeVisible(after)}`
    return { kind: 'update', label, title: 'The service has a different version.' }
  }
  if (held !== undefined || isEdited(prompt)) {
    const kind = isEdited(prompt) ? 'edited' : 'held'
    return {
      kind,
      label: kind,
      title: held ? `No pull changes it: ${makeVisible(held.reason)}` : RELEASED,
    }
  }
  const { count } = findNotes(prompt, 0)
  if (count > 0)
    return {
      kind: 'note',
      label: pluralize(count, 'note'),
      title: `${NOTE_MEANING}.`,
    }
  if (mayBeUnused && sites.length === 0)
    return { kind: 'unused', label: 'unused', title: 'No code of the app uses it.' }
  return undefined
}

/** The number of notes that a prompt's page lists. */
const LISTED = 100

/** The details of a prompt. */
export function viewOf(prompt: ListedPrompt, all: readonly ListedPrompt[]): PromptView {
  const { first, count } = findNotes(prompt, LISTED)
  const { identifiers } = planNames(all.map(({ slug }) => slug))
  return {
    ...prompt,
    identifier: identifiers.get(prompt.slug) ?? null,
    variables: promptVariables(prompt),
    join: findJoin(prompt) ?? null,
    notes: first,
    noteCount: count,
  }
}

/** The length of the texts, in Unicode characters. */
export function sizeOfPrompt({ system, user }: Pick<ListedPrompt, 'system' | 'user'>): number {
  return countCharacters(system) + countCharacters(user)
}
