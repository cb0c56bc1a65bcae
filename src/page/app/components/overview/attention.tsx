import type { JSX } from 'preact'
import type { BadgeKind, Entry } from '../../entries.ts'
import { count } from '../../numbers.ts'
import type { View } from '../../route.ts'
import { useRouter } from '../../use-route.ts'
import { Badges } from '../badges.tsx'
import { RemoteText } from '../pieces.tsx'

/** The groups, most urgent first. */
const TITLES = {
  breaking: 'Updates that break calls',
  removed: 'Removed from the service',
  update: 'Updates waiting',
  client: 'Used in client code',
  note: "Double braces that aren't variables",
} as const satisfies Partial<Record<BadgeKind, string>>

type Group = keyof typeof TITLES

/** The view that a link of a group opens. Default: text. */
const VIEWS: Readonly<Partial<Record<Group, View>>> = { breaking: 'compare', update: 'compare' }

/** The maximum number of prompts shown in a group. */
const SHOWN = 6

/** The prompts that need attention, in groups. */
export function Attention({
  entries,
  isChecked,
  onQuery,
}: {
  readonly entries: readonly Entry[]
  /** Whether the service was asked for updates. */
  readonly isChecked: boolean
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const groups = groupsOf(entries)
  if (groups.length === 0) {
    return (
      <section class="card">
        <h2>Nothing needs attention</h2>
        <p class="dim">
          {isChecked
            ? 'No update waits, and every variable is one that code can pass.'
            : 'Every variable is one that code can pass. Updates are not known.'}
        </p>
      </section>
    )
  }
  return (
    <>
      {groups.map(({ kind, members }) => (
        <section key={kind} class={`card group ${kind}`} aria-label={TITLES[kind]}>
          <h2>
            {TITLES[kind]} <span class="dim">{count(members.length)}</span>
          </h2>
          {kind === 'update' && <Unchecked members={members} />}
          <ul class="plain">
            {members.slice(0, SHOWN).map((entry) => (
              <Member key={entry.prompt.slug} kind={kind} entry={entry} />
            ))}
          </ul>
          {members.length > SHOWN && (
            <button type="button" class="button" onClick={() => onQuery(`is:${kind}`)}>
              {`List all ${count(members.length)}`}
            </button>
          )}
        </section>
      ))}
    </>
  )
}

function groupsOf(entries: readonly Entry[]): { kind: Group; members: readonly Entry[] }[] {
  const members = (kind: Group): readonly Entry[] =>
    entries.filter(({ badges }) => badges.some((badge) => badge.kind === kind))
  // Once all updates are checked, the page shows the lines that they break instead.
  const isChecked = members('update').every(({ prompt }) => prompt.change !== undefined)
  return (Object.keys(TITLES) as Group[])
    .map((kind) => ({ kind, members: members(kind) }))
    .filter((group) => group.members.length > 0 && !(group.kind === 'breaking' && isChecked))
}

function Member({
  kind,
  entry: { prompt, badges },
}: {
  readonly kind: Group
  readonly entry: Entry
}): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <li>
      <a href={linkTo({ kind: 'prompt', slug: prompt.slug, view: VIEWS[kind] ?? 'text' })}>
        <RemoteText text={prompt.slug} />
      </a>
      <span class="badges">
        {kind === 'update' && prompt.change === undefined && (
          <span class="dim">impact not checked</span>
        )}
        <Badges badges={badges.filter((badge) => badge.kind === kind)} />
      </span>
    </li>
  )
}

/** A comparison costs a metered read, so the impact of an update is checked only on request. */
function Unchecked({ members }: { readonly members: readonly Entry[] }): JSX.Element | null {
  const unchecked = members.filter(({ prompt }) => prompt.change === undefined).length
  if (unchecked === 0) return null
  return (
    <p class="dim note">
      {`Impact not checked for ${count(unchecked)} of ${count(members.length)}: open an update to check it.`}
    </p>
  )
}
