import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { accessOf } from '../../../core/app-code.ts'
import { changeRows } from '../../../core/change-row.ts'
import { comparePrompts } from '../../../core/compare.ts'
import { isEdited, partKey } from '../../../core/prompt.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import type { ListedPrompt, PageRow } from '../../protocol.ts'
import { type Change, changesOf, summaryOf } from '../changes.ts'
import { type Entry, RELEASED, viewOf } from '../entries.ts'
import { linkTo } from '../navigation.ts'
import { sizeOf } from '../numbers.ts'
import { type View, VIEWS } from '../route.ts'
import { comparedWith, page, project, SERVICE } from '../store.ts'
import { BrokenCode, Effect, Places, ReadButton } from './change-item.tsx'
import { CopyButton } from './copy-button.tsx'
import { Difference } from './difference.tsx'
import { RemoteCode, RemoteText } from './pieces.tsx'
import { TextView } from './text-view.tsx'
import { TryView } from './try-view.tsx'

/** A prompt of the lock: what waits for it, its texts, and a form to try it. */
export function PromptPage({
  entry: { prompt, row },
  view,
}: {
  readonly entry: Entry
  readonly view: View
}): JSX.Element {
  const { slug, folder, version, model, temperature, system, user } = prompt
  const { prompts } = project()
  const { identifier } = useMemo(() => viewOf(prompt, prompts), [prompt, prompts])
  const access = accessOf({ slug, identifier })
  const { changes, impact } = comparedWith(SERVICE)
  const rows = changes?.kind === 'compared' ? changes.rows : []
  const waiting = changesOf(rows, page().uses, impact).filter((change) => change.slug === slug)
  const size = sizeOf(countCharacters(system) + countCharacters(user))
  return (
    <article class="page stack" aria-labelledby="slug">
      <header>
        <a class="back small" href={linkTo({ kind: 'prompts' })}>
          ← All prompts
        </a>
        <div class="flow">
          <h1 id="slug">
            <RemoteText text={slug} />
          </h1>
          <p class="access flow small">
            <RemoteCode text={access} />
            <CopyButton text={access} label="the code" />
          </p>
        </div>
        <p class="facts dim small">
          <RemoteText text={[folder, version, model].filter(Boolean).join(' · ')} />
          {temperature !== null && ` · temperature ${temperature}`}
          {` · ${size}`}
        </p>
      </header>
      <HoldStrip prompt={prompt} />
      <BrokenCode slug={slug} />
      {waiting.map((change) => (
        <WaitingStrip key={partKey(change)} change={change} />
      ))}
      <StagingStrip prompt={prompt} />
      <nav class="views" aria-label="Views of the prompt">
        {VIEWS.map((tab) => (
          <a
            key={tab.view}
            href={linkTo({ kind: 'prompt', slug, view: tab.view })}
            aria-current={tab.view === view ? 'page' : undefined}
          >
            {tab.label}
          </a>
        ))}
      </nav>
      {view === 'text' ? <TextView prompt={prompt} /> : <TryView prompt={prompt} row={row} />}
    </article>
  )
}

/** Why pulls leave the prompt, or that it was edited here. */
function HoldStrip({ prompt }: { readonly prompt: ListedPrompt }): JSX.Element | null {
  const { held } = prompt
  if (held === undefined && !isEdited(prompt)) return null
  return (
    <p class="strip">
      <span class="badge held">{isEdited(prompt) ? 'edited' : 'held'}</span>{' '}
      {held === undefined ? RELEASED : <RemoteText text={held.reason || 'No pull changes it.'} />}
    </p>
  )
}

/** What waits for a part of a prompt, and which lines that breaks. */
function WaitingStrip({ change }: { readonly change: Change }): JSX.Element {
  const { before, after } = change.version
  const where = change.environment === 'live' ? '' : ' in staging'
  const waits = after === null ? 'A removal' : after === before ? 'An update' : after
  return (
    <section
      class={`strip stack ${change.class === 'breaking' ? 'bad-strip' : ''}`}
      aria-label={`What waits${where}`}
    >
      <p class="flow">
        <strong>
          <RemoteText text={`${waits} waits${where}`} />
          {': '}
          <RemoteText text={summaryOf(change)} />
        </strong>
        {change.places.length === 0 && <Effect change={change} />}
        {change.change === null && <ReadButton part={change} comparing={SERVICE} />}
      </p>
      <Places places={change.places} />
      <Changed row={change} />
    </section>
  )
}

/** How the staging part differs. */
function StagingStrip({ prompt }: { readonly prompt: ListedPrompt }): JSX.Element | null {
  const { staging } = prompt
  const [row] = useMemo(
    () => changeRows(staging ? comparePrompts([prompt], [staging]) : []),
    [prompt],
  )
  if (row === undefined) return null
  return (
    <section class="strip stack" aria-label="In staging">
      <strong>
        <RemoteText text={`${row.version.after ?? ''} in staging: ${summaryOf(row)}`} />
      </strong>
      <Changed row={row} />
    </section>
  )
}

function Changed({ row }: { readonly row: PageRow }): JSX.Element | null {
  return (
    row.change && (
      <details>
        <summary class="small">What changes</summary>
        <div class="stack opened">
          <Difference row={row} change={row.change} />
        </div>
      </details>
    )
  )
}
