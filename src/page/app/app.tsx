import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { ChangesPage } from './components/changes/changes-page.tsx'
import { Shortcuts } from './components/dialogs.tsx'
import { ErrorMessage } from './components/boxes.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { Header } from './components/header.tsx'
import { MissingPrompt, UnknownPage } from './components/missing.tsx'
import { Overview } from './components/overview/overview.tsx'
import { PromptPage } from './components/prompt-page.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { PageContext, usePage, useProject } from './use-page.ts'
import { RouterContext, useAddress, useRouter } from './use-route.ts'

/** The whole page. */
export function App(): JSX.Element {
  const { contents, problem, checking } = useProject()
  return (
    <RouterContext.Provider value={useAddress()}>
      <PageContext.Provider value={contents}>
        <a class="skip" href="#main" onClick={skipToMain}>
          Skip to the prompt
        </a>
        <Header checking={checking} />
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {contents === undefined ? (
          <main id="main" class="loading" aria-busy={problem === undefined}>
            {problem === undefined && <p>Reading the lock…</p>}
          </main>
        ) : contents.entries.length > 0 ? (
          <Body />
        ) : (
          <NoPrompts />
        )}
        <Shortcuts />
      </PageContext.Provider>
    </RouterContext.Provider>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function NoPrompts(): JSX.Element {
  const { lock } = usePage().state
  const why = lock.kind === 'read' ? 'The lock contains no prompts.' : lock.error.why
  return (
    <main id="main" tabIndex={-1}>
      {lock.kind === 'read' || lock.error.code === 'LOCK_MISSING' ? (
        <FirstSteps why={why} />
      ) : (
        <div class="page missing">
          <h1>The lock can't be read</h1>
          <ErrorMessage error={lock.error} />
        </div>
      )}
    </main>
  )
}

function Body(): JSX.Element {
  const { place } = useRouter().route
  useEffect(() => {
    document.title = place.kind === 'prompt' ? `${place.slug} · Prompts` : 'Prompts'
  }, [place])
  return (
    <div class={`body ${place.kind === 'overview' ? 'at-list' : 'at-prompt'}`}>
      <Sidebar />
      <main id="main" tabIndex={-1}>
        <PlaceView />
      </main>
    </div>
  )
}

function PlaceView(): JSX.Element {
  const { place } = useRouter().route
  const { entries } = usePage()
  if (place.kind === 'changes') return <ChangesPage />
  if (place.kind === 'overview') return <Overview />
  if (place.kind === 'unknown') return <UnknownPage path={place.path} />
  const { slug, view } = place
  const entry = entries.find(({ prompt }) => prompt.slug === slug)
  if (entry === undefined) return <MissingPrompt slug={slug} />
  return <PromptPage key={slug} entry={entry} view={view} />
}
