import { type ComponentChildren, type JSX, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ErrorView } from '../protocol.ts'
import { ErrorMessage } from './components/boxes.tsx'
import { ChangesPage } from './components/changes-page.tsx'
import { Command } from './components/copy.tsx'
import { Outcome } from './components/decisions.tsx'
import { Header } from './components/header.tsx'
import { RemoteCode } from './components/pieces.tsx'
import { PromptList, PromptsPage } from './components/prompt-list.tsx'
import { PromptPage } from './components/prompt-page.tsx'
import { currentPlace, entries } from './derived.ts'
import { followKeys } from './keys.ts'
import { type Place, printRoute } from './route.ts'
import { follow, page } from './store.ts'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
followKeys()

/** The whole page. */
function App(): JSX.Element {
  const [{ project: state, problem }, draw] = useState(page)
  useEffect(() => follow(draw), [])
  const place = currentPlace()
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Outcome />
      {state?.prompts.length === 0 ? (
        <NoPrompts error={state.lockError} />
      ) : state === undefined || place === undefined ? (
        <main id="main" class="page dim" aria-busy={problem === undefined}>
          {problem === undefined && <p>Reading the lock…</p>}
        </main>
      ) : (
        <Body place={place} />
      )}
    </>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/**
 * A project that pins no prompts yet, or whose lock can't be read. What `prompts init` does is what is
 * missing: the service, the key and the first pull.
 */
function NoPrompts({ error }: { readonly error: ErrorView | null }): JSX.Element {
  return (
    <main id="main" tabIndex={-1}>
      <div class="page stack">
        {error === null || error.code === 'LOCK_MISSING' ? (
          <>
            <h1>No prompts yet</h1>
            <p class="dim">
              {error?.why ?? 'The lock contains no prompts.'} This connects the app with its service
              and pins the prompts:
            </p>
            <Command command="init" />
            <p class="dim">This page follows the lock: it changes as soon as there is one.</p>
          </>
        ) : (
          <>
            <h1>The lock can't be read</h1>
            <ErrorMessage error={error} />
          </>
        )}
      </div>
    </main>
  )
}

/** A place, with the list beside it unless it is a list. */
function Body({ place }: { readonly place: Place }): JSX.Element {
  const name = place.kind === 'prompt' ? place.slug : place.kind === 'changes' ? 'Changes' : ''
  useEffect(() => {
    document.title = name === '' ? 'Prompts' : `${name} · Prompts`
  }, [name])
  const isList = place.kind === 'changes' || place.kind === 'prompts'
  const main = (
    <main key={isList ? place.kind : name} id="main" tabIndex={-1}>
      <Content place={place} />
    </main>
  )
  if (isList) return main
  return (
    <div class="body">
      <PromptList />
      {main}
    </div>
  )
}

function Content({ place }: { readonly place: Place }): JSX.Element {
  if (place.kind === 'changes') return <ChangesPage />
  if (place.kind === 'prompts') return <PromptsPage />
  if (place.kind !== 'prompt') {
    return (
      <Missing title="Page not found">
        There is nothing at <RemoteCode text={printRoute({ place, settings: new Map() })} />. The
        address may be incomplete, or written for another version.
      </Missing>
    )
  }
  const { slug, view } = place
  const entry = entries().find(({ prompt }) => prompt.slug === slug)
  if (entry !== undefined) return <PromptPage key={slug} prompt={entry.prompt} view={view} />
  return (
    <Missing title="Not in the lock">
      The lock has no prompt called <RemoteCode text={slug} />. It may have been renamed, or wait in
      Changes.
    </Missing>
  )
}

interface MissingProps {
  readonly title: string
  readonly children: ComponentChildren
}

function Missing({ title, children }: MissingProps): JSX.Element {
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
