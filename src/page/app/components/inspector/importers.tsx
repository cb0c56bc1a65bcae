import type { JSX } from 'preact'
import type { Mention } from '../../entries.ts'
import { usePage } from '../../use-page.ts'
import { EditorLink } from '../editor-link.tsx'

/** The places in the app that use a prompt. */
export function Importers({ mentions }: { readonly mentions: readonly Mention[] }): JSX.Element {
  const { uses } = usePage().state
  if (uses.kind === 'pending') return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') {
    const { why, fix, code } = uses.error
    return <p class="dim">{`Unknown: ${why} ${fix} [${code}]`}</p>
  }
  if (mentions.length === 0) return <p class="dim">No code uses it.</p>
  return (
    <ul class="plain importers">
      {mentions.map(({ use: { file, path, side }, lines: [first, ...others], indirect }) => (
        <li key={path} class="flow">
          <EditorLink file={file} path={path} line={first} />
          {others.map((line) => (
            <EditorLink key={line} file={file} path={path} line={line}>
              {`:${line}`}
            </EditorLink>
          ))}
          {side !== null && <span class={`side ${side}`}>{side}</span>}
          {indirect && <span class="dim">uses prompts dynamically</span>}
        </li>
      ))}
    </ul>
  )
}
