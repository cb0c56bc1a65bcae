import type { JSX } from 'preact'
import { accessOf } from '../../../core/app-code.ts'
import { readOrError } from '../api.ts'
import type { Entry, OpenEntry } from '../entries.ts'
import { type View, VIEWS } from '../route.ts'
import { useAnswer } from '../use-answer.ts'
import { usePage } from '../use-page.ts'
import { useRouter } from '../use-route.ts'
import { CompareView } from './compare-view.tsx'
import { CopyButton } from './copy-button.tsx'
import { ErrorMessage } from './boxes.tsx'
import { MissingPrompt } from './missing.tsx'
import { Badges, RemoteCode, RemoteText } from './pieces.tsx'
import { TextView } from './text-view.tsx'
import { TryView } from './try-view.tsx'

interface PageProps {
  /** The view that is shown. */
  readonly view: View
}

/** The page of a prompt of the list, once its texts are read; again when the lock changes. */
export function PromptPage({ entry, view }: PageProps & { readonly entry: Entry }): JSX.Element {
  const { slug } = entry.prompt
  const { prompts } = usePage().state
  const reading = useAnswer(() => readOrError('prompt', { slug }), [slug, prompts])
  if (reading === undefined) return <div aria-busy="true" />
  if (reading.kind === 'error') return <ErrorMessage error={reading.error} />
  if (reading.kind === 'missing') return <MissingPrompt slug={slug} />
  return <OpenPrompt entry={{ ...entry, prompt: reading.prompt }} view={view} />
}

function OpenPrompt({ entry, view }: PageProps & { readonly entry: OpenEntry }): JSX.Element {
  const { linkTo } = useRouter()
  const { slug, folder, version, model, temperature } = entry.prompt
  const access = accessOf(entry.prompt)
  return (
    <article class="page prompt-page" aria-labelledby="slug">
      <header>
        <a class="back" href={linkTo({ kind: 'overview' })}>
          ← All prompts
        </a>
        <p class="dim small">{folder === '' ? 'No folder' : <RemoteText text={folder} />}</p>
        <div class="title flow">
          <h1 id="slug">
            <RemoteText text={slug} />
          </h1>
          <Badges badges={entry.badges} />
          <p class="access flow">
            <RemoteCode text={access} />
            <CopyButton text={access} label="the code" />
          </p>
        </div>
        <dl class="facts-line dim">
          {factOf('Version', version)}
          {factOf('Model', model)}
          {factOf('Temperature', String(temperature))}
        </dl>
        <nav class="tabs" aria-label="Views of the prompt">
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
      </header>
      {view === 'text' && <TextView entry={entry} />}
      {view === 'try' && <TryView prompt={entry.prompt} />}
      {view === 'compare' && <CompareView entry={entry} />}
    </article>
  )
}

/** A fact with its name, which is seen only where the value does not tell it. */
function factOf(name: 'Version' | 'Model' | 'Temperature', value: string): JSX.Element {
  return (
    <div>
      <dt class={name === 'Temperature' ? undefined : 'offscreen'}>{name}</dt>
      <dd>
        <RemoteText text={value} />
      </dd>
    </div>
  )
}
