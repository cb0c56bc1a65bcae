import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { PageState } from '../../../protocol.ts'
import type { OpenEntry } from '../../entries.ts'
import { outlineOf, type TextPlace } from '../../places.ts'
import { Importers } from './importers.tsx'
import { Lints } from './lints.tsx'
import { Outline } from './outline.tsx'
import { Pin } from './pin.tsx'
import { Variables } from './variables.tsx'

/** What is in the texts of a prompt, the places that use it, and where it is pinned. */
export function Inspector({
  entry,
  state,
  onJump,
}: {
  readonly entry: OpenEntry
  readonly state: PageState
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
        <Importers entry={entry} state={state} />
      </section>
      {prompt.lints.length > 0 && <Lints prompt={prompt} onJump={onJump} />}
      {headings.length > 0 && <Outline headings={headings} onJump={onJump} />}
      <section>
        <h2>Pinned in</h2>
        <Pin prompt={prompt} state={state} />
      </section>
    </aside>
  )
}
