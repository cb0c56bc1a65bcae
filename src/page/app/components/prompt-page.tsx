import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { changeRows } from '../../../core/change-row.ts'
import { comparePrompts } from '../../../core/compare.ts'
import { describeEffects } from '../../../core/describe-change.ts'
import { isEdited, partKey, type PinnedPrompt } from '../../../core/prompt.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import type { ListedPrompt, PageRow } from '../../protocol.ts'
import { type Change, summaryOf, versionOf } from '../changes.ts'
import { accessTo, waitingChanges } from '../derived.ts'
import { RELEASED } from '../entries.ts'
import { linkTo } from '../navigation.ts'
import { sizeOf } from '../numbers.ts'
import { type View, VIEWS } from '../route.ts'
import { page } from '../store.ts'
import { BrokenCode, Effect, Places, ReadButton } from './change-item.tsx'
import { CopyButton } from './copy.tsx'
import { ActButton, Decisions } from './decisions.tsx'
import { Difference } from './texts.tsx'
import { HistoryView } from './history-view.tsx'
import { RemoteCode, RemoteText } from './pieces.tsx'
import { TextView } from './text-view.tsx'
import { TryView } from './try-view.tsx'

interface PromptPageProps {
  readonly prompt: ListedPrompt
  readonly view: View
}

/** A prompt of the lock: what waits for it, its texts, and a form to try it. */
export function PromptPage({ prompt, view }: PromptPageProps): JSX.Element {
  const { slug, folder, version, model, temperature, system, user } = prompt
  const access = accessTo(slug)
  const waiting = waitingChanges().filter((change) => change.slug === slug)
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
          {` · ${sizeOf(countCharacters(system) + countCharacters(user))}`}
        </p>
      </header>
      {[prompt, prompt.staging].map(
        (part) => part && <HoldStrip key={partKey(part)} part={part} />,
      )}
      <BrokenCode slug={slug} />
      {waiting.map((change) => (
        <WaitingStrip key={partKey(change)} change={change} />
      ))}
      {waiting.length === 0 && <Decisions of={prompt} />}
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
      {view === 'text' && <TextView prompt={prompt} />}
      {view === 'try' && <TryView prompt={prompt} row={waiting[0]} />}
      {view === 'history' && <HistoryView prompt={prompt} />}
    </article>
  )
}

/** Why pulls leave a part and which update that is, or that it was edited here. */
function HoldStrip({ part }: { readonly part: PinnedPrompt }): JSX.Element | null {
  const { held } = part
  const { changes } = page()
  if (held === undefined && !isEdited(part)) return null
  const service = changes?.kind === 'compared' ? changes.service : null
  const update = service?.held.find((other) => partKey(other) === partKey(part))?.update
  return (
    <p class="strip flow">
      <span class="badge held">
        {[isEdited(part) ? 'edited' : 'held', part.environment === 'test' && ' in staging']}
      </span>
      <span>
        {held === undefined ? RELEASED : <RemoteText text={held.reason || 'No pull changes it.'} />}
      </span>
      {update && (
        <span class="dim">
          Waits: <RemoteText text={`${versionOf(update)}, ${describeEffects(update, String)}`} />
        </span>
      )}
      {held && (
        <ActButton act="release" query={{ part: partKey(part) }}>
          Release
        </ActButton>
      )}
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
        {change.change === null && <ReadButton part={change} />}
      </p>
      <Decisions of={change} />
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
          <Difference row={row} />
        </div>
      </details>
    )
  )
}
