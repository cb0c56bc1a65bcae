import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { OpenEntry } from '../../entries.ts'
import { outlineOf, type TextPlace } from '../../places.ts'
import { usePage } from '../../use-page.ts'
import { CopyButton } from '../copy-button.tsx'
import { EditorLink } from '../editor-link.tsx'
import { Importers } from './importers.tsx'
import { Lints } from './lints.tsx'
import { Outline } from './outline.tsx'
import { Variables } from './variables.tsx'

/** What is in the texts of a prompt, the places that use it, and where it is pinned. */
export function Inspector({
  entry,
  onJump,
}: {
  readonly entry: OpenEntry
  /** Shows a line of a text. */
  readonly onJump: (place: TextPlace) => void
}): JSX.Element {
  const { prompt } = entry
  const headings = useMemo(() => outlineOf(prompt), [prompt])
  return (
    <aside class="inspector" aria-label="About the prompt">
      <section>
        <h2>Variables</h2>
        <Variables prompt={prompt} onJump={onJump} />
      </section>
      <section>
        <h2>Used by</h2>
        <Importers mentions={entry.mentions} />
      </section>
      {prompt.lints.length > 0 && <Lints prompt={prompt} onJump={onJump} />}
      {headings.length > 0 && <Outline headings={headings} onJump={onJump} />}
      <section>
        <h2>Pinned in</h2>
        <Pin prompt={prompt} />
      </section>
    </aside>
  )
}

/** The line of the lock and the hash that pin a prompt. */
function Pin({
  prompt: { integrity, lockLine },
}: {
  readonly prompt: OpenEntry['prompt']
}): JSX.Element {
  const { lockPath, lockFile } = usePage().state
  return (
    <dl class="facts-list">
      <dt>Lock</dt>
      <dd>
        <EditorLink file={lockPath} path={lockFile} line={lockLine ?? undefined} />
      </dd>
      <dt>Hash</dt>
      <dd class="hash flow">
        <code title={integrity}>{`${integrity.slice(0, 15)}…`}</code>
        <CopyButton text={() => integrity} label="the hash" />
      </dd>
    </dl>
  )
}
