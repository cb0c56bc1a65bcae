import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PageState } from '../protocol.ts'
import { ChangesPage } from './components/changes/changes-page.tsx'
import { Dialogs, type OpenDialog } from './components/dialogs.tsx'
import { ErrorMessage } from './components/error-message.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import { Header } from './components/header.tsx'
import { MissingPrompt, UnknownPage } from './components/missing.tsx'
import { OpenPrompt } from './components/open-prompt.tsx'
import { Overview } from './components/overview/overview.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { entriesOf, type Entry } from './entries.ts'
import { type Place, SEARCH } from './route.ts'
import { RouterContext, useAddress, useRouter } from './use-route.ts'
import { type Connection, usePageState } from './use-page-state.ts'

/** The whole page. */
export function App(): JSX.Element {
  const connection = usePageState()
  const { problem } = connection
  const [dialog, setDialog] = useState<OpenDialog>()
  // A dialog reports that it is closed later, when the next one may be open already.
  const closeDialog = (closed: OpenDialog): void =>
    setDialog((open) => (open === closed ? undefined : open))
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
      <Content
        connection={connection}
        dialog={dialog}
        onDialog={setDialog}
        onDialogClose={closeDialog}
      />
    </RouterContext.Provider>
  )
}

interface ContentProps {
  readonly connection: Connection
  readonly dialog: OpenDialog
  readonly onDialog: (dialog: OpenDialog) => void
  readonly onDialogClose: (dialog: OpenDialog) => void
}

function Content(props: ContentProps): JSX.Element {
  const { state, problem } = props.connection
  if (state === undefined) {
    return (
      <main id="main" class="loading" aria-busy={problem === undefined}>
        {problem === undefined && <p>Reading the lock…</p>}
      </main>
    )
  }
  const { lock } = state
  if (lock.kind === 'read' && lock.prompts.length > 0) return <Body {...props} state={state} />
  return (
    <main id="main" tabIndex={-1}>
      {lock.kind === 'read' ? (
        <FirstSteps state={state} why="The lock contains no prompts." />
      ) : lock.error.code === 'LOCK_MISSING' ? (
        <FirstSteps state={state} why={lock.error.why} />
      ) : (
        <ErrorMessage error={lock.error} />
      )}
    </main>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Body({
  state,
  connection,
  dialog,
  onDialog,
  onDialogClose,
}: ContentProps & { readonly state: PageState }): JSX.Element {
  const { route, set } = useRouter()
  const { place } = route
  const entries = useMemo(() => entriesOf(state), [state])
  const onQuery = (text: string): void => set(SEARCH, text)
  useEffect(() => {
    document.title = place.kind === 'prompt' ? `${place.slug} · Prompts` : 'Prompts'
  }, [place])
  return (
    <div class={`body ${place.kind === 'overview' ? 'at-list' : 'at-prompt'}`}>
      <Sidebar
        entries={entries}
        query={route.settings.get(SEARCH) ?? ''}
        revision={state.lock.kind === 'read' ? state.lock.revision : ''}
        onQuery={onQuery}
      />
      <main id="main" tabIndex={-1}>
        <PlaceView place={place} entries={entries} state={state} reload={connection.reload} />
      </main>
      <Dialogs
        open={dialog}
        onOpen={onDialog}
        onClose={onDialogClose}
        state={state}
        entries={entries}
        check={connection.check}
      />
    </div>
  )
}

function PlaceView({
  place,
  entries,
  state,
  reload,
}: {
  readonly place: Place
  readonly entries: readonly Entry[]
  readonly state: PageState
  readonly reload: () => void
}): JSX.Element {
  const { set } = useRouter()
  if (place.kind === 'changes') return <ChangesPage state={state} reload={reload} />
  if (place.kind === 'overview') {
    const onQuery = (text: string): void => set(SEARCH, text)
    return <Overview state={state} entries={entries} reload={reload} onQuery={onQuery} />
  }
  if (place.kind === 'unknown') return <UnknownPage path={place.path} />
  const { slug, view } = place
  const entry = entries.find(({ prompt }) => prompt.slug === slug)
  const { lock } = state
  if (entry === undefined || lock.kind === 'error') return <MissingPrompt slug={slug} />
  const common = { view, state, revision: lock.revision, reload }
  return <OpenPrompt key={slug} entry={entry} {...common} />
}
