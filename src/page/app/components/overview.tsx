import type { JSX } from 'preact'
import { formatCommand } from '../../../errors/suggested-command.ts'
import type { PageState } from '../../protocol.ts'
import type { BadgeKind, Entry } from '../entries.ts'
import { count, plural } from '../numbers.ts'
import { printRoute, type View } from '../route.ts'
import { Badges } from './badges.tsx'
import { RemoteText } from './pieces.tsx'

/** The pinned prompts, and those that need attention. */
export function Overview({
  state,
  entries,
  onQuery,
}: {
  readonly state: PageState
  readonly entries: readonly Entry[]
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const folders = new Set(entries.map(({ prompt }) => prompt.folder)).size
  const models = new Set(entries.map(({ prompt }) => prompt.model)).size
  return (
    <div class="overview">
      <h1>{plural(entries.length, 'prompt')} pinned</h1>
      <p class="lead">
        {`${plural(folders, 'folder')}, ${plural(models, 'model')}, ${state.environment} environment. `}
        <span>
          Choose one on the left, or press <kbd>/</kbd> to search.
        </span>
      </p>
      <Service state={state} />
      <Attention entries={entries} onQuery={onQuery} />
    </div>
  )
}

function Service({
  state: { workspace, service },
}: {
  readonly state: PageState
}): JSX.Element | null {
  if (service.kind === 'off' || service.kind === 'failed') {
    return (
      <section class="card" aria-label="The prompt service">
        <h2>{service.kind === 'off' ? 'Not connected to a service' : 'Service check failed'}</h2>
        <p class="why">{service.error.why}</p>
        <p class="dim">{service.error.fix}</p>
        {service.kind === 'failed' && <code>{service.error.code}</code>}
      </section>
    )
  }
  if (service.kind !== 'reached') return null
  const added = service.drift.filter(({ kind }) => kind === 'added')
  if (added.length === 0) return null
  return (
    <section class="card" aria-label="Not pinned yet">
      <h2>{`${plural(added.length, 'prompt')} not pinned yet`}</h2>
      <p class="slugs">
        {added.slice(0, 20).map(({ slug }) => (
          <code key={slug}>
            <RemoteText text={slug} />
          </code>
        ))}
        {added.length > 20 && <span class="dim">{`and ${added.length - 20} more`}</span>}
      </p>
      <p class="dim">
        Run <code>npx {formatCommand(workspace, 'pull')}</code> to pin them.
      </p>
    </section>
  )
}

const TITLES: Readonly<Record<BadgeKind, string>> = {
  breaking: 'Updates that break calls',
  removed: 'Removed from the service',
  update: 'Updates waiting',
  client: 'Used in client code',
  lint: "Double braces that aren't variables",
  unused: 'Unused',
}

/** The view that a link of a group opens. Default: text. */
const VIEWS: Readonly<Partial<Record<BadgeKind, View>>> = { breaking: 'compare', update: 'compare' }

/** The maximum number of entries shown in a group. */
const SHOWN = 8

function Attention({
  entries,
  onQuery,
}: {
  readonly entries: readonly Entry[]
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const groups = (Object.keys(TITLES) as BadgeKind[]).flatMap((kind) => {
    const members = entries.filter(({ badges }) => badges.some((badge) => badge.kind === kind))
    return members.length === 0 ? [] : [{ kind, members }]
  })
  if (groups.length === 0) return <p class="dim">Nothing needs attention.</p>
  return (
    <div class="groups">
      {groups.map(({ kind, members }) => (
        <section key={kind} class="card" aria-label={TITLES[kind]}>
          <h2>
            {TITLES[kind]} <span class="dim">{members.length}</span>
          </h2>
          {kind === 'update' && <Unchecked members={members} />}
          <ul class="plain">
            {members.slice(0, SHOWN).map(({ prompt, badges }) => (
              <li key={prompt.slug}>
                <a href={printRoute({ slug: prompt.slug, view: VIEWS[kind] ?? 'text' })}>
                  <RemoteText text={prompt.slug} />
                </a>
                <span class="badges">
                  {kind === 'update' && prompt.change === null && (
                    <span class="dim">impact not checked</span>
                  )}
                  <Badges badges={badges.filter((badge) => badge.kind === kind)} />
                </span>
              </li>
            ))}
          </ul>
          {members.length > SHOWN && (
            <button type="button" class="button" onClick={() => onQuery(`is:${kind}`)}>
              {`List all ${members.length}`}
            </button>
          )}
        </section>
      ))}
    </div>
  )
}

/** A comparison costs a metered read, so the impact of an update is checked only on request. */
function Unchecked({ members }: { readonly members: readonly Entry[] }): JSX.Element | null {
  const unchecked = members.filter(({ prompt }) => prompt.change === null).length
  if (unchecked === 0) return null
  return (
    <p class="dim">
      {`Impact not checked for ${count(unchecked)} of ${count(members.length)}: open an update to check it.`}
    </p>
  )
}
