import type { JSX } from 'preact'
import { NOTE_MEANING } from '../../../../core/notes.ts'
import { formatCount } from '../../../../core/text/pluralize.ts'
import { type BadgeKind, type Entry, withBadge } from '../../entries.ts'
import type { View } from '../../route.ts'
import { usePage } from '../../use-page.ts'
import { Card } from '../boxes.tsx'
import { Badges, PromptLink, SearchButton } from '../pieces.tsx'

/** The groups, most urgent first, with the view that their links open. */
const GROUPS: readonly { readonly kind: BadgeKind; readonly title: string; readonly view: View }[] =
  [
    { kind: 'breaking', title: 'Updates that break calls', view: 'compare' },
    { kind: 'removed', title: 'Removed from the service', view: 'text' },
    { kind: 'update', title: 'Updates waiting', view: 'compare' },
    { kind: 'client', title: 'Used in client code', view: 'text' },
    { kind: 'note', title: NOTE_MEANING, view: 'text' },
  ]

/** The maximum number of prompts shown in a group. */
const SHOWN = 6

/** The prompts that need attention, in groups. */
export function Attention({
  hasLines,
}: {
  /** Whether the page shows the lines that updates break, so that it need not list the updates. */
  readonly hasLines: boolean
}): JSX.Element {
  const { state, entries } = usePage()
  const groups = GROUPS.map((group) => ({ ...group, members: withBadge(entries, group.kind) }))
  const shown = groups.filter(
    ({ kind, members }) => members.length > 0 && !(kind === 'breaking' && hasLines),
  )
  if (shown.length === 0) {
    return (
      <Card title="Nothing needs attention">
        <p class="dim">
          {state.service.kind === 'reached'
            ? 'No update waits, and every variable is one that code can pass.'
            : 'Every variable is one that code can pass. Updates are not known.'}
        </p>
      </Card>
    )
  }
  return (
    <>
      {shown.map(({ kind, title, view, members }) => (
        <Card
          key={kind}
          title={title}
          note={formatCount(members.length)}
          look={kind === 'breaking' ? 'bad-card' : ''}
        >
          {kind === 'update' && <Unchecked members={members} />}
          <ul class="plain divided">
            {members.slice(0, SHOWN).map(({ prompt: { slug }, change, badges }) => (
              <li key={slug} class="between">
                <PromptLink slug={slug} view={view} />
                <span class="badges flow">
                  {kind === 'update' && change === undefined && (
                    <span class="dim small">impact not checked</span>
                  )}
                  <Badges badges={badges.filter((badge) => badge.kind === kind)} />
                </span>
              </li>
            ))}
          </ul>
          {members.length > SHOWN && (
            <SearchButton query={`is:${kind}`}>List all {formatCount(members.length)}</SearchButton>
          )}
        </Card>
      ))}
    </>
  )
}

/** A comparison costs a metered read, so the impact of an update is checked only on request. */
function Unchecked({ members }: { readonly members: readonly Entry[] }): JSX.Element | null {
  const unchecked = members.filter(({ change }) => change === undefined).length
  if (unchecked === 0) return null
  return (
    <p class="dim small">
      {`Impact not checked for ${formatCount(unchecked)} of ${formatCount(members.length)}: open an update to check it.`}
    </p>
  )
}
