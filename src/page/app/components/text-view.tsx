import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { OpenEntry } from '../entries.ts'
import type { TextPlace } from '../places.ts'
import { Inspector } from './inspector.tsx'
import { TextPanel } from './text-panel.tsx'

/** The stored texts of a prompt, next to what is in them and the places that use it. */
export function TextView({ entry }: { readonly entry: OpenEntry }): JSX.Element {
  const [target, setTarget] = useState<TextPlace>()
  const { prompt } = entry
  const shared = { prompt, target }
  return (
    <div class="columns column">
      <div class="texts">
        <TextPanel field="system" {...shared} />
        {prompt.user === '' ? (
          <p class="dim none">No user text.</p>
        ) : (
          <TextPanel field="user" {...shared} />
        )}
        {prompt.join === null && <TextPanel field="source" {...shared} />}
      </div>
      <Inspector entry={entry} onJump={(place) => setTarget({ ...place })} />
    </div>
  )
}
