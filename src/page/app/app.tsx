import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PageState } from '../protocol.ts'
import { ErrorMessage } from './components/error-message.tsx'
import { Overview } from './components/overview.tsx'
import { PromptPage } from './components/prompt-page.tsx'
import { ServiceState } from './components/service-state.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { entriesOf } from './entries.ts'
import { parseRoute, type Route } from './route.ts'
import { type Connection, usePageState } from './use-page-state.ts'

/** The whole page. */
export function App(): JSX.Element {
  const connection = usePageState()
  const { state, problem } = connection
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the prompt
      </a>
      <Header connection={connection} />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {state === undefined ? (
        <main id="main" class="loading" aria-busy={problem === undefined}>
          {problem === undefined && <p>Reading the lock…</p>}
        </main>
      ) : state.lock.kind === 'error' ? (
        <main id="main" tabIndex={-1}>
          <ErrorMessage error={state.lock.error} />
        </main>
      ) : (
        <Body state={state} connection={connection} />
      )}
    </>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Header({ connection }: { readonly connection: Connection }): JSX.Element {
  const { state, checking, check } = connection
  return (
    <header class="header">
      <a class="home" href="#/">
        <img src="./icon.svg" alt="" width={20} height={20} />
        Prompts
      </a>
      {state !== undefined && (
        <>
          <span class={`environment ${state.environment}`}>{state.environment}</span>
          <code class="lock">{state.lockPath}</code>
          {state.lock.kind === 'read' && (
            <ServiceState service={state.service} checking={checking} onCheck={check} />
          )}
        </>
      )}
    </header>
  )
}

function Body({
  state,
  connection,
}: {
  readonly state: PageState
  readonly connection: Connection
}): JSX.Element {
  const route = useRoute()
  const [query, setQuery] = useState('')
  const entries = useMemo(() => entriesOf(state), [state])
  const entry = entries.find(({ prompt }) => prompt.slug === route.slug)
  useEffect(() => {
    document.title = route.slug === null ? 'Prompts' : `${route.slug} · Prompts`
  }, [route.slug])
  return (
    <div class={`body ${route.slug === null ? 'at-list' : 'at-prompt'}`}>
      <Sidebar entries={entries} route={route} query={query} onQuery={setQuery} />
      <main id="main" tabIndex={-1}>
        {route.slug === null ? (
          <Overview state={state} entries={entries} onQuery={setQuery} />
        ) : entry === undefined ? (
          <Missing slug={route.slug} />
        ) : (
          <PromptPage
            key={route.slug}
            entry={entry}
            view={route.view}
            state={state}
            reload={connection.reload}
          />
        )}
      </main>
    </div>
  )
}

/** The route of the address bar, kept up to date. */
function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}

function Missing({ slug }: { readonly slug: string }): JSX.Element {
  return (
    <div class="missing">
      <h1>Not in the lock</h1>
      <p>
        The lock has no prompt called <code>{slug}</code>. It may have been renamed, or this project
        may not pin it.
      </p>
      <p>
        <a href="#/">All prompts</a>
      </p>
    </div>
  )
}
