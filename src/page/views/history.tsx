import type { JSX } from 'preact'
import { changedTexts } from '../../core/change-row.ts'
import type { PageRow } from '../shown.ts'
import { ActButton, nameOf } from './forms.tsx'
import { ErrorMessage, Remote } from './pieces.tsx'
import { summaryOf, versionOf } from './rows.ts'
import { Difference, TextPanel } from './texts.tsx'
import { useView } from './view.ts'

/** The versions of a prompt in git: a link shows one, which can be restored. */
export function HistoryView(): JSX.Element | null {
  const { versions } = useView()
  if (versions === undefined) return null
  if (versions.kind === 'error') return <ErrorMessage error={versions.error} />
  const { entries, end, chosen } = versions
  const items = entries.map(({ commit, date, author, rows }) => {
    const isChosen = chosen?.commit === commit
    const address = `${isChosen ? '?' : `?at=${commit}`}#${commit}`
    const label = rows?.map(versionOf).join(', ') ?? 'not a valid lock'
    const about = `${date.slice(0, 10)} · ${author} · ${commit.slice(0, 7)}`
    const what = rows?.map(summaryOf).join(', ') ?? ''
    return (
      <li class="change" id={commit}>
        <a class="cluster bar" href={address} aria-current={isChosen || undefined}>
          <span class="versions cut slug" children={<Remote text={label} />} />
          <span class="what cut small" children={<Remote text={what} />} />
          <span class="dim small cut" children={<Remote text={about} />} />
        </a>
        {isChosen && <Version commit={commit} rows={chosen.rows} />}
      </li>
    )
  })
  return (
    <ul class="change-list history">
      {items}
      {end !== 'start' && <li class="opened dim">Older commits are not here.</li>}
    </ul>
  )
}

/** The texts of a prompt at a commit, and what differs from them in the lock. */
function Version({ commit, rows }: { commit: string; rows: readonly PageRow[] }): JSX.Element {
  const { canWrite } = useView()
  const sections = rows.map((row) => {
    const restore = { act: 'restore', rows: [nameOf(row)], about: row.slug } as const
    const isRestorable = canWrite && row.change?.before?.environment === row.environment
    return (
      <section class="stack">
        <div class="flow">
          {`${commit.slice(0, 7)} → the lock: `}
          {isRestorable && <ActButton {...restore} children="Restore" />}
        </div>
        <Difference row={row} />
        {row.change?.before &&
          changedTexts(row.change).map(
            ({ field, before }) => before && <TextPanel field={field} text={before} />,
          )}
      </section>
    )
  })
  return (
    <div class="opened stack">
      {rows.length === 0 ? <p class="dim">The lock has this version.</p> : sections}
    </div>
  )
}
