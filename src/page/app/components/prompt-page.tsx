import type { JSX } from 'preact'
import { accessOf } from '../code-samples.ts'
import type { OpenEntry } from '../entries.ts'
import type { View } from '../route.ts'
import { useRouter } from '../use-route.ts'
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
}: {
  readonly entry: OpenEntry
  readonly view: View
}): JSX.Element {
  const { linkTo } = useRouter()
  const { slug, folder } = entry.prompt
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
            <code>
              <RemoteText text={access} />
            </code>
            <CopyButton text={() => access} label="the code" />
          </p>
        </div>
        <Facts entry={entry} />
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

function Facts({ entry: { prompt } }: { readonly entry: OpenEntry }): JSX.Element {
  const facts = [
    { name: 'Version', value: prompt.version, isNamed: false },
    { name: 'Model', value: prompt.model, isNamed: false },
    { name: 'Temperature', value: String(prompt.temperature), isNamed: true },
  ]
  return (
    <dl class="facts-line">
      {facts.map(({ name, value, isNamed }) => (
        <div key={name}>
          <dt class={isNamed ? undefined : 'offscreen'}>{name}</dt>
          <dd>
            <RemoteText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
