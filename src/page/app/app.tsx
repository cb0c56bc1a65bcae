import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ChangesView, ErrorView } from '../protocol.ts'
import { ErrorMessage } from './components/boxes.tsx'
import { ChangesPage } from './components/changes-page.tsx'
import { Command } from './components/command.tsx'
import { Outcome } from './components/decisions.tsx'
import { Header } from './components/header.tsx'
import { RemoteCode } from './components/pieces.tsx'
import { PromptList, PromptsPage } from './components/prompt-list.tsx'
import { PromptPage } from './components/prompt-page.tsx'
import { entriesOf, type Entry } from './entries.ts'
import type { Place } from './route.ts'
import { follow, page } from './store.ts'

/** The whole page. */
export function App(): JSX.Element {
  const [{ project: state, compared, uses, problem, route }, draw] = useState(page)
  useEffect(() => follow(draw), [])
  const { changes } = compared
  const entries = useMemo(
    () => entriesOf(state?.prompts ?? [], changes, uses),
    [state?.prompts, changes, uses],
  )
  const place = route.place.kind === 'home' ? homeOf(changes) : route.place
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header place={place} entries={entries} />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Outcome />
      {state !== undefined && state.prompts.length === 0 ? (
        <NoPrompts error={state.lockError} />
      ) : state === undefined || place === undefined ? (
        <main id="main" class="page dim" aria-busy={problem === undefined}>
          {problem === undefined && <p>Reading the lock…</p>}
        </main>
      ) : (
        <Body place={place} entries={entries} />
      )}
    </>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** What opens first: the changes, if something waits or stands in the way of knowing. */
function homeOf(changes: ChangesView | undefined): Place | undefined {
  const waits = changes?.kind !== 'compared' || changes.rows.length > 0
  return changes && { kind: waits ? 'changes' : 'prompts' }
}

/** A project that pins no prompts yet, or whose lock can't be read. */
function NoPrompts({ error }: { readonly error: ErrorView | null }): JSX.Element {
  return (
    <main id="main" tabIndex={-1}>
      {error === null || error.code === 'LOCK_MISSING' ? (
        <FirstSteps why={error?.why ?? 'The lock contains no prompts.'} />
      ) : (
        <div class="page stack">
          <h1>The lock can't be read</h1>
          <ErrorMessage error={error} />
        </div>
      )}
    </main>
  )
}

interface BodyProps {
  readonly place: Place
  readonly entries: readonly Entry[]
}

function Body({ place, entries }: BodyProps): JSX.Element {
  const name = place.kind === 'prompt' ? place.slug : place.kind === 'changes' ? 'Changes' : ''
  useEffect(() => {
    document.title = name === '' ? 'Prompts' : `${name} · Prompts`
  }, [name])
  if (place.kind === 'changes' || place.kind === 'prompts') {
    return (
      <main key={place.kind} id="main" tabIndex={-1}>
        {place.kind === 'changes' ? <ChangesPage /> : <PromptsPage entries={entries} />}
      </main>
    )
  }
  return (
    <div class="body">
      <PromptList entries={entries} />
      <main key={name} id="main" tabIndex={-1}>
        <Content place={place} entries={entries} />
      </main>
    </div>
  )
}

function Content({ place, entries }: BodyProps): JSX.Element | null {
  if (place.kind === 'unknown') {
    return (
      <Missing title="Page not found">
        There is nothing at <RemoteCode text={`#/${place.path}`} />. The address may be incomplete,
        or written for another version.
      </Missing>
    )
  }
  if (place.kind !== 'prompt') return null
  const { slug, view } = place
  const entry = entries.find(({ prompt }) => prompt.slug === slug)
  if (entry !== undefined) return <PromptPage key={slug} entry={entry} view={view} />
  return (
    <Missing title="Not in the lock">
      The lock has no prompt called <RemoteCode text={slug} />. It may have been renamed, or wait in
      Changes.
    </Missing>
  )
}

function Missing({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <div class="page stack missing">
      <h1>{title}</h1>
      <p class="dim">{children}</p>
      <p>
        <a href="#/prompts">All prompts</a> · <a href="#/changes">Changes</a>
      </p>
    </div>
  )
}

/** What `prompts init` does is what is missing: the service, the key and the first pull. */
function FirstSteps({ why }: { readonly why: string }): JSX.Element {
  return (
    <div class="page stack">
      <h1>No prompts yet</h1>
      <p class="dim">{why} This connects the app with its service and pins the prompts:</p>
      <Command command="init" />
      <p class="dim">This page follows the lock: it changes as soon as there is one.</p>
    </div>
  )
}
