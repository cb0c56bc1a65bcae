import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { changeRows } from '../../../core/change-row.ts'
import { comparePrompts } from '../../../core/compare.ts'
import { isEdited, type PinnedPrompt } from '../../../core/prompt.ts'
import type { PageRow } from '../../protocol.ts'
import { accessOf } from '../../../core/app-code.ts'
import { changesOf, summaryOf } from '../changes.ts'
import { type Entry, type PromptView, RELEASED, sizeOfPrompt, viewOf } from '../entries.ts'
import { sizeOf } from '../numbers.ts'
import { type View, VIEWS } from '../route.ts'
import { keyOf, readChanges, useData, useStore } from '../store.ts'
import { useRouter } from '../use-route.ts'
import { CopyButton } from './copy-button.tsx'
import { BrokenCode, Places } from './change-item.tsx'
import { Difference } from './difference.tsx'
import { RemoteCode, RemoteText } from './pieces.tsx'
import { TextView } from './text-view.tsx'
import { type TriedVersion, TryView } from './try-view.tsx'

/** A prompt of the lock: what waits for it, its texts, and a form to try it. */
export function PromptPage({
  entry,
  view,
}: {
  readonly entry: Entry
  readonly view: View
}): JSX.Element {
  const { linkTo } = useRouter()
  const { prompts } = useData()
  const prompt = useMemo(() => viewOf(entry.prompt, prompts), [entry.prompt, prompts])
  const { slug, folder, version, model, temperature } = prompt
  const access = accessOf(prompt)
  return (
    <article class="page prompt-page stack" aria-labelledby="slug">
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
          {` · temperature ${temperature} · ${sizeOf(sizeOfPrompt(prompt))}`}
        </p>
      </header>
      <HoldStrip prompt={prompt} />
      <BrokenCode slug={slug} />
      <WaitingStrip entry={entry} />
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
      {view === 'text' ? (
        <TextView prompt={prompt} sites={entry.sites} />
      ) : (
        <TryView slug={slug} versions={versionsOf(entry, prompt)} />
      )}
    </article>
  )
}

/** The pinned version, the one that waits if its texts are read, and the one of the test lock. */
function versionsOf({ row, prompt: { staging } }: Entry, prompt: PromptView): TriedVersion[] {
  const other = (texts: PinnedPrompt): PromptView => {
    const changed = { ...prompt, ...texts }
    return viewOf(changed, [changed])
  }
  const incoming = row?.change?.kind === 'updated' ? row.change.after : undefined
  return [
    { value: 'pinned', label: staging ? 'Live' : 'Pinned', prompt },
    ...(incoming
      ? [{ value: 'incoming', label: 'Incoming', prompt: other(incoming) } as const]
      : []),
    ...(staging ? [{ value: 'staging', label: 'Staging', prompt: other(staging) } as const] : []),
  ]
}

/** Why pulls leave the prompt, or that it was edited here. */
function HoldStrip({ prompt }: { readonly prompt: PromptView }): JSX.Element | null {
  const { held } = prompt
  if (held === undefined && !isEdited(prompt)) return null
  return (
    <p class="strip">
      <span class="badge held">{isEdited(prompt) ? 'edited' : 'held'}</span>{' '}
      {held === undefined ? RELEASED : <RemoteText text={held.reason || 'No pull changes it.'} />}
    </p>
  )
}

/** How the test lock differs. */
function StagingStrip({ prompt }: { readonly prompt: PromptView }): JSX.Element | null {
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

const SERVICE = { side: 'service', base: 'HEAD' } as const

/** What waits for a prompt, and which lines that breaks. */
function WaitingStrip({ entry: { row, prompt } }: { readonly entry: Entry }): JSX.Element | null {
  const { uses } = useData()
  const compared = useStore().compared[keyOf(SERVICE)]
  if (row === undefined) return null
  const [change] = changesOf([row], uses, compared?.impact)
  const { after } = row.version
  const isSame = after === prompt.version
  const waits = after === null ? 'A removal waits' : `${isSame ? 'An update' : after} waits`
  const summary = summaryOf(change ?? row)
  const { places = [], isChecked, isUsed } = change ?? {}
  return (
    <section
      class={`strip stack ${change?.class === 'breaking' ? 'bad-strip' : ''}`}
      aria-label="What waits"
    >
      <p class="flow">
        <strong>
          <RemoteText text={waits} />
          {': '}
          <RemoteText text={summary} />
        </strong>
        <span class="dim">
          {places.length > 0
            ? ''
            : isChecked
              ? isUsed
                ? 'Breaks nothing.'
                : 'No code uses it.'
              : 'Not checked yet.'}
        </span>
        {row.change === null && (
          <button
            type="button"
            class="button"
            disabled={compared?.isReading === true}
            onClick={() => void readChanges(SERVICE, `slug:${row.slug}`)}
          >
            Compare · 1 read
          </button>
        )}
      </p>
      <Places places={places} />
      <Changed row={row} />
    </section>
  )
}
