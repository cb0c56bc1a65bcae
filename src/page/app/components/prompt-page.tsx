import type { JSX } from 'preact'
import type { PageState } from '../../protocol.ts'
import { accessOf } from '../code-samples.ts'
import type { Entry } from '../entries.ts'
import { printRoute, type View } from '../route.ts'
import { Badges } from './badges.tsx'
import { CompareView } from './compare-view.tsx'
import { CopyButton } from './copy-button.tsx'
import { RemoteText } from './pieces.tsx'
import { TextView } from './text-view.tsx'
import { TryView } from './try-view.tsx'

const VIEWS: readonly { readonly view: View; readonly label: string }[] = [
  { view: 'text', label: 'Text' },
  { view: 'try', label: 'Try it' },
  { view: 'compare', label: 'Compare' },
]

/** The page of one prompt, in one of its views. */
export function PromptPage({
  entry,
  view,
  state,
  reload,
}: {
  readonly entry: Entry
  readonly view: View
  readonly state: PageState
  readonly reload: () => void
}): JSX.Element {
  const { slug, folder } = entry.prompt
  return (
    <article class="prompt-page" aria-labelledby="slug">
      <header>
        <a class="back" href="#/">
          ← All prompts
        </a>
        <p class="folder">{folder === '' ? 'No folder' : <RemoteText text={folder} />}</p>
        <div class="title">
          <h1 id="slug">
            <RemoteText text={slug} />
          </h1>
          <Badges badges={entry.badges} />
        </div>
        <Facts entry={entry} />
        <nav class="tabs" aria-label="Views of the prompt">
          {VIEWS.map((tab) => (
            <a
              key={tab.view}
              href={printRoute({ slug, view: tab.view })}
              aria-current={tab.view === view ? 'page' : undefined}
            >
              {tab.label}
            </a>
          ))}
        </nav>
      </header>
      {view === 'text' && <TextView entry={entry} state={state} />}
      {view === 'try' && <TryView prompt={entry.prompt} state={state} />}
      {view === 'compare' && <CompareView entry={entry} state={state} reload={reload} />}
    </article>
  )
}

function Facts({ entry: { prompt } }: { readonly entry: Entry }): JSX.Element {
  const { version, model, temperature, integrity } = prompt
  const access = accessOf(prompt)
  return (
    <dl class="facts-line">
      <div>
        <dt>Version</dt>
        <dd>
          <RemoteText text={version} />
        </dd>
      </div>
      <div>
        <dt>Model</dt>
        <dd>
          <RemoteText text={model} />
        </dd>
      </div>
      <div>
        <dt>Temperature</dt>
        <dd>{String(temperature)}</dd>
      </div>
      <div>
        <dt>Hash</dt>
        <dd title={integrity}>
          <code>{integrity.slice(0, 15)}…</code>
        </dd>
      </div>
      <div class="access">
        <dt>In code</dt>
        <dd>
          <code>
            <RemoteText text={access} />
          </code>
          <CopyButton text={() => access} label="the code" />
        </dd>
      </div>
    </dl>
  )
}
