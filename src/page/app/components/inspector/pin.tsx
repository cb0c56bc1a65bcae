import type { JSX } from 'preact'
import type { PageState, PromptView } from '../../../protocol.ts'
import { CopyButton } from '../copy-button.tsx'
import { EditorLink } from '../editor-link.tsx'

/** The line of the lock and the hash that pin a prompt. */
export function Pin({
  prompt: { integrity, lockLine },
  state: { lockPath, lockFile, editor },
}: {
  readonly prompt: PromptView
  readonly state: PageState
}): JSX.Element {
  return (
    <dl class="facts-list">
      <dt>Lock</dt>
      <dd>
        <EditorLink editor={editor} path={lockFile} line={lockLine ?? undefined}>
          {lockLine === null ? lockPath : `${lockPath}:${lockLine}`}
        </EditorLink>
      </dd>
      <dt>Hash</dt>
      <dd class="hash">
        <code title={integrity}>{`${integrity.slice(0, 15)}…`}</code>
        <CopyButton text={() => integrity} label="the hash" />
      </dd>
    </dl>
  )
}
