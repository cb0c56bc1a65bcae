import type { JSX } from 'preact'
import type { PageState, UseView } from '../../../protocol.ts'
import type { Entry } from '../../entries.ts'
import { count, plural } from '../../numbers.ts'
import { useRouter } from '../../use-route.ts'
import { EditorLink } from '../editor-link.tsx'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of files shown, and of prompts in each. */
const FILES = 8
const PROMPTS = 5

/** The files of the app that use prompts, with the prompts of each. */
export function CodeMap({
  state: { uses, editor },
  entries,
  onQuery,
}: {
  readonly state: PageState
  readonly entries: readonly Entry[]
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const known = new Set(entries.map(({ prompt }) => prompt.slug))
  const modules = 'modules' in uses ? uses.modules : []
  const unused = entries.filter(({ badges }) => badges.some(({ kind }) => kind === 'unused')).length
  return (
    <section class="card code-map" aria-label="In your code">
      <h2>In your code {modules.length > 0 && <span class="dim">{count(modules.length)}</span>}</h2>
      {modules.length === 0 && <p class="dim">{noneText(uses)}</p>}
      <ul>
        {modules.slice(0, FILES).map((use) => (
          <li key={use.path}>
            <p class="file">
              <EditorLink editor={editor} path={use.path} line={undefined}>
                {use.file}
              </EditorLink>
              {use.side !== null && <span class={`side ${use.side}`}>{use.side}</span>}
            </p>
            <PromptsOf use={use} known={known} />
          </li>
        ))}
      </ul>
      {modules.length > FILES && (
        <p class="dim note">{`and ${plural(modules.length - FILES, 'more file')}`}</p>
      )}
      {unused > 0 && (
        <button type="button" class="button" onClick={() => onQuery('is:unused')}>
          {`Show ${count(unused)} unused`}
        </button>
      )}
    </section>
  )
}

function noneText(uses: PageState['uses']): string {
  if (uses.kind === 'pending') return 'Looking through the code…'
  if (uses.kind === 'error') return `The code can't be read: ${uses.error.why}`
  return 'No code uses prompts yet.'
}

function PromptsOf({
  use: { mentions, escapes },
  known,
}: {
  readonly use: UseView
  readonly known: ReadonlySet<string>
}): JSX.Element {
  const { linkTo } = useRouter()
  const slugs = Object.keys(mentions).filter((slug) => known.has(slug))
  return (
    <p class="slugs">
      {slugs.slice(0, PROMPTS).map((slug) => (
        <a key={slug} href={linkTo({ kind: 'prompt', slug, view: 'text' })}>
          <RemoteText text={slug} />
        </a>
      ))}
      {slugs.length > PROMPTS && (
        <span class="dim">{`and ${count(slugs.length - PROMPTS)} more`}</span>
      )}
      {(escapes.length > 0 || slugs.length === 0) && (
        <span class="dim">uses prompts dynamically</span>
      )}
    </p>
  )
}
