import type { JSX } from 'preact'
import type { PageState } from '../../protocol.ts'
import type { Entry, Mention } from '../entries.ts'
import { EditorLink } from './editor-link.tsx'
import { Remote } from './pieces.tsx'

/** What is known of a prompt beside its texts: variables, importers, lints. */
export function Inspector({
  entry,
  state,
}: {
  readonly entry: Entry
  readonly state: PageState
}): JSX.Element {
  const { variables, lints } = entry.prompt
  return (
    <aside class="inspector" aria-label="About the prompt">
      <section>
        <h2>Variables</h2>
        {variables.length === 0 ? (
          <p class="dim">None.</p>
        ) : (
          <ul class="chips">
            {variables.map((name) => (
              <li key={name}>
                <code class="token">
                  <Remote text={name} />
                </code>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Imported by</h2>
        <Importers entry={entry} state={state} />
      </section>
      {lints.length > 0 && (
        <section>
          <h2>Lints</h2>
          <ul class="plain lints">
            {lints.map(({ field, line, column, kind, excerpt }) => (
              <li key={`${field} ${line} ${column}`}>
                <code>
                  <Remote text={excerpt} />
                </code>
                <span class="dim">{`${field}, line ${line}, column ${column}: ${LINTS[kind]}`}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}

const LINTS = {
  empty: 'empty braces stay text',
  foreign: 'no variable name, stays text',
  unclosed: 'never closed, stays text',
} as const

function Importers({
  entry: { mentions },
  state: { uses, editor },
}: {
  readonly entry: Entry
  readonly state: PageState
}): JSX.Element {
  if (uses === null) return <p class="dim">Only a dev server knows.</p>
  if (uses.length === 0) return <p class="dim">No module that imports prompts is loaded yet.</p>
  if (mentions.length === 0) return <p class="dim">No module that is loaded so far.</p>
  return (
    <ul class="plain importers">
      {mentions.map((mention) => (
        <li key={mention.use.path}>
          <MentionLinks mention={mention} editor={editor} />
        </li>
      ))}
    </ul>
  )
}

function MentionLinks({
  mention: { use, lines },
  editor,
}: {
  readonly mention: Mention
  readonly editor: string | null
}): JSX.Element {
  const [first, ...others] = lines
  return (
    <>
      <EditorLink editor={editor} path={use.path} line={first}>
        {first === undefined ? use.file : `${use.file}:${first}`}
      </EditorLink>
      {others.map((line) => (
        <EditorLink key={line} editor={editor} path={use.path} line={line}>
          {`:${line}`}
        </EditorLink>
      ))}
      <span class={`side ${use.client ? 'client' : ''}`}>{use.client ? 'client' : 'server'}</span>
      {first === undefined && <span class="dim">takes prompts by names that can't be read</span>}
    </>
  )
}
