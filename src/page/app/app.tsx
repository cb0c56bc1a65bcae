import type { JSX } from 'preact'
import { type Dispatch, type StateUpdater, useEffect, useMemo, useState } from 'preact/hooks'
import { ChangesPage } from './components/changes/changes-page.tsx'
import { Dialogs, type OpenDialog } from './components/dialogs.tsx'
import { ErrorMessage } from './components/error-message.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { Header } from './components/header.tsx'
import { MissingPrompt, UnknownPage } from './components/missing.tsx'
import { OpenPrompt } from './components/open-prompt.tsx'
import { Overview } from './components/overview/overview.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { entriesOf } from './entries.ts'
import { PageContext, usePage } from './use-page.ts'
import { RouterContext, useAddress, useRouter } from './use-route.ts'
import { type PageData, usePageState } from './use-page-state.ts'

/** The whole page. */
export function App(): JSX.Element {
  const connection = usePageState()
  const { state, problem, check, reload } = connection
  const entries = useMemo(
    () => (state === undefined ? [] : entriesOf(state)),
    [state?.prompts, state?.changes, state?.service, state?.uses],
  )
  const contents = useMemo(
    () => state && { state, entries, check, reload },
    [state, entries, check, reload],
  )
  const [dialog, setDialog] = useState<OpenDialog>()
  return (
    <RouterContext.Provider value={useAddress()}>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the prompt
      </a>
      <Header connection={connection} onPalette={() => setDialog('palette')} />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {contents === undefined ? (
        <main id="main" class="loading" aria-busy={problem === undefined}>
          {problem === undefined && <p>Reading the lock…</p>}
        </main>
      ) : (
        <PageContext.Provider value={contents}>
          {entries.length > 0 ? (
            <Body dialog={dialog} onDialog={setDialog} />
          ) : (
            <main id="main" tabIndex={-1}>
              <NoPrompts state={contents.state} />
            </main>
          )}
        </PageContext.Provider>
      )}
    </RouterContext.Provider>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function NoPrompts({ state: { lock } }: { readonly state: PageData }): JSX.Element {
  if (lock.kind === 'read') return <FirstSteps why="The lock contains no prompts." />
  const { error } = lock
  if (error.code === 'LOCK_MISSING') return <FirstSteps why={error.why} />
  return (
    <div class="page missing">
      <h1>The lock can't be read</h1>
      <ErrorMessage error={error} />
    </div>
  )
}

function Body({
  dialog,
  onDialog,
}: {
  readonly dialog: OpenDialog
  readonly onDialog: Dispatch<StateUpdater<OpenDialog>>
}): JSX.Element {
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
      <Dialogs open={dialog} onOpen={onDialog} />
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
  return <OpenPrompt key={slug} entry={entry} view={view} />
}
