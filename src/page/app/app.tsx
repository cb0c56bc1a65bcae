import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { ChangesPage } from './components/changes-page.tsx'
import { ErrorMessage } from './components/boxes.tsx'
import { Header } from './components/header.tsx'
import { PromptList } from './components/prompt-list.tsx'
import { PromptPage } from './components/prompt-page.tsx'
import { RemoteCode } from './components/pieces.tsx'
import { Shortcuts } from './components/shortcuts.tsx'
import { pluralize } from '../../core/text/pluralize.ts'
import type { ServiceView } from '../protocol.ts'
import type { Place } from './route.ts'
import { follow, useStore, useData } from './store.ts'
import { RouterContext, useAddress } from './use-route.ts'
import { envVariable, virtualModuleId } from '../../core/workspace-name.ts'
import { Command, Snippet } from './components/command.tsx'

/** The whole page. */
export function App(): JSX.Element {
  const { data, problem } = useStore()
  const router = useAddress()
  useEffect(follow, [])
  const { place } = router.route
  const shown = place.kind === 'home' ? homeOf(data?.service) : place
  return (
    <RouterContext.Provider value={router}>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header place={shown} />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {data === undefined || shown === undefined ? (
        <main id="main" class="page dim" aria-busy={problem === undefined}>
          {problem === undefined && <p>Reading the lock…</p>}
        </main>
      ) : data.lock.kind === 'error' || data.prompts.length === 0 ? (
        <NoPrompts />
      ) : (
        <Body place={shown} />
      )}
      <Shortcuts place={shown} />
    </RouterContext.Provider>
  )
}

/** The fragment of the URL is the route, so the browser must not follow the link. */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** What opens first: the changes, if something waits or stands in the way of knowing. */
function homeOf(service: ServiceView | undefined): Place | undefined {
  return (
    service && {
      kind: service.kind === 'reached' && service.changes.length === 0 ? 'prompts' : 'changes',
    }
  )
}

function NoPrompts(): JSX.Element {
  const { lock } = useStore().data ?? {}
  const isMissing = lock?.kind === 'error' && lock.error.code === 'LOCK_MISSING'
  return (
    <main id="main" tabIndex={-1}>
      {lock?.kind === 'error' && !isMissing ? (
        <div class="page stack">
          <h1>The lock can't be read</h1>
          <ErrorMessage error={lock.error} />
        </div>
      ) : (
        <FirstSteps why={isMissing ? lock.error.why : 'The lock contains no prompts.'} />
      )}
    </main>
  )
}

function Body({ place }: { readonly place: Place }): JSX.Element {
  useEffect(() => {
    const name = place.kind === 'prompt' ? place.slug : place.kind === 'changes' ? 'Changes' : ''
    document.title = name === '' ? 'Prompts' : `${name} · Prompts`
  }, [place.kind === 'prompt' ? place.slug : place.kind])
  if (place.kind === 'changes') {
    return (
      <main id="main" tabIndex={-1}>
        <ChangesPage />
      </main>
    )
  }
  return (
    <div class={`body at-${place.kind}`}>
      <PromptList place={place} />
      <main id="main" tabIndex={-1}>
        {place.kind === 'prompt' ? <PromptAt place={place} /> : <NoPrompt place={place} />}
      </main>
    </div>
  )
}

function PromptAt({ place }: { readonly place: Place & { kind: 'prompt' } }): JSX.Element {
  const { entries } = useStore()
  const entry = entries.find(({ prompt }) => prompt.slug === place.slug)
  if (entry !== undefined) return <PromptPage key={place.slug} entry={entry} view={place.view} />
  return (
    <Missing title="Not in the lock">
      The lock has no prompt called <RemoteCode text={place.slug} />. It may have been renamed, or
      wait in Changes.
    </Missing>
  )
}

function NoPrompt({ place }: { readonly place: Place }): JSX.Element {
  const { entries, data } = useStore()
  if (place.kind === 'unknown') {
    return (
      <Missing title="Page not found">
        There is nothing at <RemoteCode text={`#/${place.path}`} />. The address may be incomplete,
        or written for another version.
      </Missing>
    )
  }
  return (
    <div class="page stack">
      <h1>{pluralize(entries.length, 'prompt')} pinned</h1>
      <p class="dim">
        In <code>{data?.lockPath}</code>. Choose one, or press <kbd>/</kbd> to search slugs and
        texts.
      </p>
    </div>
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

/** The page of a project that pins no prompts yet, with the reason. */
function FirstSteps({ why }: { readonly why: string }): JSX.Element {
  const { workspace, lockPath } = useData()
  const settings = ['BASE_URL', 'API_KEY'].map((name) => `${envVariable(workspace, name)}=`)
  return (
    <article class="page stack first-steps" aria-labelledby="first-steps-title">
      <h1 id="first-steps-title">No prompts yet</h1>
      <p class="lead dim">{why} Three steps bring them into the app.</p>
      <ol>
        <li>
          <h2>Name the service</h2>
          <p>
            Put its address and your key into <code>.env.local</code>, which git has to ignore:
          </p>
          <Snippet text={settings.join('\n')} label="the settings" />
        </li>
        <li>
          <h2>Pin the prompts</h2>
          <p>
            This writes <code>{lockPath}</code>, which you commit:
          </p>
          <Command command="pull" />
        </li>
        <li>
          <h2>Use one</h2>
          <p>Each prompt is a property, with typed variables:</p>
          <Snippet
            text={`import { prompts } from '${virtualModuleId(workspace)}'`}
            label="the import"
          />
        </li>
      </ol>
      <p class="dim">This page follows the lock: it changes as soon as there is one.</p>
    </article>
  )
}
