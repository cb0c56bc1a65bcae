import type { JSX } from 'preact'
import type { PageState } from '../../protocol.ts'
import type { Entry, Mention } from '../entries.ts'
import { count } from '../numbers.ts'
import { EditorLink } from './editor-link.tsx'
import { RemoteText } from './pieces.tsx'

/** Variables, importers and lints of a prompt. */
export function Inspector({
  entry,
  state,
}: {
  readonly entry: Entry
  readonly state: PageState
}): JSX.Element {
  const { variables, lints, lintCount } = entry.prompt
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
                  <RemoteText text={name} />
                </code>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Used by</h2>
        <Importers entry={entry} state={state} />
      </section>
      {lints.length > 0 && (
        <section>
          <h2>Lints</h2>
          <ul class="plain lints">
            {lints.map(({ field, line, column, kind, excerpt }) => (
              <li key={`${field} ${line} ${column}`}>
                <code>
                  <RemoteText text={excerpt} />
                </code>
                <span class="dim">{`${field}, line ${line}, column ${column}: ${LINTS[kind]}`}</span>
              </li>
            ))}
            {lintCount > lints.length && (
              <li class="dim">{`… and ${count(lintCount - lints.length)} more`}</li>
            )}
          </ul>
        </section>
      )}
    </aside>
  )
}

const LINTS = {
  empty: 'empty braces stay text',
  foreign: 'not a variable name, stays text',
  unclosed: 'never closed, stays text',
} as const

function Importers({
  entry: { mentions },
  state: { uses, editor },
}: {
  readonly entry: Entry
  readonly state: PageState
}): JSX.Element {
  if (uses.kind === 'pending') return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') {
    const { why, fix, code } = uses.error
    return <p class="dim">{`Unknown: ${why} ${fix} [${code}]`}</p>
  }
  if (mentions.length === 0) return <p class="dim">{noneText(uses)}</p>
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

function noneText(uses: PageState['uses'] & { readonly modules: readonly unknown[] }): string {
  if (uses.kind === 'analysed') return 'No code uses it.'
  return uses.modules.length === 0
    ? 'No module that imports prompts is loaded yet.'
    : 'No module loaded so far uses it.'
}

function MentionLinks({
  mention: { use, lines, indirect },
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
      {use.side !== null && <span class={`side ${use.side}`}>{use.side}</span>}
      {indirect && <span class="dim">uses prompts dynamically</span>}
    </>
  )
}
