import type { JSX } from 'preact'
import { render } from 'preact-render-to-string'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { promptPath } from '../addresses.ts'
import type { Notice, Shown, View } from '../shown.ts'
import { ChangesPage, clockTime, isOff } from './changes.tsx'
import { ActButton } from './forms.tsx'
import { entriesOf, listedEntries, PromptList } from './list.tsx'
import { ErrorMessage, Message, Pieces, Reason, useView, ViewContext } from './parts.tsx'
import { PromptPage } from './prompt.tsx'

/**
 * Where an address leads that is no document: the start to the changes while something waits, and a search
 * that finds one prompt to that.
 */
export function redirectOf(
  { pathname, search, searchParams }: URL,
  shown: Shown,
): string | undefined {
  if (pathname === '/') return shown.changes?.rows?.length === 0 ? '/prompts' : '/changes'
  if (pathname !== '/prompts' || !searchParams.get('q')) return undefined
  const [match, ...others] = listedEntries(entriesOf(shown), searchParams)
  return match && others.length === 0 ? promptPath(match.prompt.slug) + search : undefined
}

/** Draws a document. */
export function drawDocument(view: View, script: string): string {
  const page = <ViewContext.Provider value={view} children={<Page script={script} />} />
  return `<!doctype html>${render(page)}`
}

function Page({ script }: { script: string }): JSX.Element {
  const { place, prompt, isAnalysing, outcome } = useView()
  const name = prompt?.slug ?? (place?.kind === 'changes' ? 'Changes' : '')
  // Not while a person types.
  const isWaiting = isAnalysing && place?.view !== 'edit'
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title children={<Pieces text={name === '' ? 'Prompts' : `${name} · Prompts`} />} />
        <link rel="icon" type="image/svg+xml" href="/icon.svg" />
        <link rel="stylesheet" href="/page.css" />
        <script dangerouslySetInnerHTML={{ __html: script }} />
        {isWaiting && <noscript children={<meta http-equiv="refresh" content="2" />} />}
      </head>
      <body>
        <a class="skip" href="#main" children="Skip to the content" />
        <Header />
        <p class="problem" role="alert" id="lost" hidden children={SERVER_LOST} />
        {outcome && <OutcomeBar {...outcome} />}
        <Body />
        <form method="post" id="open" />
      </body>
    </html>
  )
}

const SERVER_LOST =
  'The server of this page does not answer, so this is its last state. Open it from the terminal.'

/** The tabs, the search, and the state of the service. */
function Header(): JSX.Element {
  const { place, query, changes, prompts, environment, lockError } = useView()
  const isChanges = place?.kind === 'changes'
  const [pinned, waiting] = [prompts.length, changes?.rows?.length ?? 0]
  return (
    <header class="header cluster">
      <a class="home" href="/" aria-label="Start">
        <img src="/icon.svg" alt="" width={24} height={24} />
      </a>
      <nav class="tabs" aria-label="Tabs">
        <a href="/prompts" aria-current={place && !isChanges ? 'page' : undefined}>
          Prompts <span class="count">{pinned > 0 && formatCount(pinned)}</span>
        </a>
        <a href="/changes" aria-current={isChanges ? 'page' : undefined}>
          Changes <span class="count">{waiting > 0 && formatCount(waiting)}</span>
        </a>
      </nav>
      <form class="search" role="search" action="/prompts" id="search">
        <input
          type="search"
          class="input"
          name="q"
          autocomplete="off"
          spellcheck={false}
          value={query.get('q') ?? ''}
          placeholder="Search prompts"
          aria-label="Search slugs, texts, folders and models"
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      {lockError === undefined && <ServiceState changes={changes} />}
      {environment && (
        <span class={`badge environment ${environment}`} children={SERVED[environment]} />
      )}
    </header>
  )
}

const SERVED = { live: 'App uses live versions', test: 'App uses staging versions' } as const

/** Whether the service answers, the time of the last check, and a button to check again. */
function ServiceState({ changes }: Pick<Shown, 'changes'>): JSX.Element {
  const [tone, text, isUnconnected] = describe(changes)
  return (
    <div class="service cluster small">
      <p class="cluster" role="status">
        <span class={`dot ${tone}`} aria-hidden="true" />
        {text}
      </p>
      {!isUnconnected && <ActButton act="list" children="Check now" />}
    </div>
  )
}

/** The colour of the dot, the text next to it, and whether no service is configured. */
function describe(changes: Shown['changes']): readonly [string, string, isUnconnected?: true] {
  if (changes === undefined) return ['quiet', 'Not checked yet']
  if (changes.error)
    return isOff(changes.error) ? ['quiet', 'No service', true] : ['bad', 'Check failed']
  const time = clockTime(changes.checkedAt)
  return changes.rows.length === 0
    ? ['good', `No change listed, ${time}`]
    : ['news', `Checked ${time}`]
}

/** What came of the last act of this window, and how to undo what it has written. */
function OutcomeBar({ texts, error }: Notice): JSX.Element {
  const { canUndo } = useView()
  return (
    <div class="outcome flow" role="status" id="outcome">
      {error && <ErrorMessage {...error} />}
      {texts.map((text) => (
        <Reason text={text} />
      ))}
      {canUndo && <ActButton act="undo" children="Undo" />}
    </div>
  )
}

/** A place, with the list beside it unless it is a list. */
function Body(): JSX.Element {
  const { place, prompts } = useView()
  const main = <main id="main" tabIndex={-1} children={<Content />} />
  const isWhole = prompts.length === 0 || place?.kind === 'changes' || place?.kind === 'prompts'
  if (isWhole) return main
  return (
    <div class="body">
      <PromptList />
      {main}
    </div>
  )
}

function Content(): JSX.Element {
  const { place, prompt, prompts, lockError } = useView()
  if (lockError && lockError.code !== 'LOCK_MISSING')
    return <Message title="The lock can't be read" children={<ErrorMessage {...lockError} />} />
  if (prompts.length === 0) {
    const why = lockError?.why ?? 'The lock contains no prompts.'
    return (
      <Message title="No prompts yet">
        {why} <code>prompts init</code> connects the app with its service and pins the prompts. This
        page follows the lock: it changes as soon as there is one.
      </Message>
    )
  }
  if (place?.kind === 'changes') return <ChangesPage />
  if (place?.kind === 'prompts') return <PromptsPage />
  if (prompt) return <PromptPage prompt={prompt} />
  return (
    <Message title="Page not found">
      There is nothing at this address. A prompt may have been renamed, or wait in Changes.
    </Message>
  )
}

/** All prompts, with what a visitor wants to know: what waits, is held, edited, staged, unused. */
function PromptsPage(): JSX.Element {
  const { lockPath, prompts } = useView()
  return (
    <article class="page stack">
      <header>
        <h1>{pluralize(prompts.length, 'prompt')} pinned</h1>
        <p class="dim">
          In <code>{lockPath}</code>. Press <kbd>/</kbd> to search slugs, texts, and marks such as
          held or unused.
        </p>
      </header>
      <PromptList />
    </article>
  )
}
