import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { partKey } from '../../../core/prompt.ts'
import type { ChangesView, HistoryView as History, ListedPrompt } from '../../protocol.ts'
import { summaryOf, textsOf, versionOf } from '../changes.ts'
import { ask, lost, project } from '../store.ts'
import { ErrorMessage } from './boxes.tsx'
import { ActButton } from './decisions.tsx'
import { Difference, TextPanel } from './texts.tsx'
import { RemoteText } from './pieces.tsx'

/** The versions of a prompt in git: a click shows one, which can be restored. */
export function HistoryView({ prompt: { slug } }: { readonly prompt: ListedPrompt }): JSX.Element {
  const { hash } = project()
  const [history, setHistory] = useState<History>()
  useEffect(() => void ask('history', { slug }).catch(lost).then(setHistory), [slug, hash])
  if (history === undefined) return <p class="dim">Reading git…</p>
  if (history.kind === 'error') return <ErrorMessage error={history.error} />
  return (
    <ul class="change-list history">
      {history.entries.map(({ commit, date, author, rows }) => (
        <li key={commit} class="change">
          <details>
            <summary class="cluster">
              <span class="versions cut slug">
                <RemoteText text={rows?.map(versionOf).join(', ') ?? 'not a valid lock'} />
              </span>
              <span class="what cut small">
                <RemoteText text={rows?.map(summaryOf).join(', ') ?? ''} />
              </span>
              <span class="dim small cut">
                <RemoteText text={`${date.slice(0, 10)} · ${author} · ${commit.slice(0, 7)}`} />
              </span>
            </summary>
            {rows && <Version key={hash} slug={slug} commit={commit} />}
          </details>
        </li>
      ))}
      {history.end !== 'start' && <li class="opened dim">Older commits are not here.</li>}
    </ul>
  )
}

/** The texts of a prompt at a commit, and what differs from them in the lock. */
function Version({ slug, commit }: Readonly<Record<'slug' | 'commit', string>>): JSX.Element {
  const [changes, setChanges] = useState<ChangesView>()
  useEffect(
    () => void ask('changes', { with: 'revision', base: commit }).catch(lost).then(setChanges),
    [slug, commit],
  )
  if (changes?.kind === 'error') return <ErrorMessage error={changes.error} />
  if (changes?.kind !== 'compared') return <p class="opened dim">Reading git…</p>
  const rows = changes.rows.filter((row) => row.slug === slug)
  return (
    <div class="opened stack">
      {rows.length === 0 && <p class="dim">The lock has this version.</p>}
      {rows.map((row) => (
        <section key={partKey(row)} class="stack">
          <p class="flow">
            {`${commit.slice(0, 7)} → the lock: `}
            {row.change?.before?.environment === row.environment && (
              <ActButton act="restore" query={{ part: partKey(row), base: commit }}>
                Restore
              </ActButton>
            )}
          </p>
          <Difference row={row} />
          {textsOf(row).map(
            ({ field, before }) =>
              before && <TextPanel key={field} text={{ field, text: before }} />,
          )}
        </section>
      ))}
    </div>
  )
}
