import type { JSX } from 'preact'
import type { PageState } from '../../../protocol.ts'
import type { Mention, OpenEntry } from '../../entries.ts'
import { EditorLink } from '../editor-link.tsx'

/** The places in the app that use a prompt. */
export function Importers({
  entry: { mentions },
  state: { uses, editor },
}: {
  readonly entry: OpenEntry
  readonly state: PageState
}): JSX.Element {
  if (uses.kind === 'pending') return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') {
    const { why, fix, code } = uses.error
    return <p class="dim">{`Unknown: ${why} ${fix} [${code}]`}</p>
  }
  if (mentions.length === 0) return <p class="dim">No code uses it.</p>
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
