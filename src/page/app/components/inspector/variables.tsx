import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { PromptView } from '../../../protocol.ts'
import { count } from '../../numbers.ts'
import { type TextPlace, variablePlaces } from '../../places.ts'
import { RemoteText } from '../pieces.tsx'

/** The variables of a prompt. A click shows the next place of one in the texts. */
export function Variables({
  prompt,
  onJump,
}: {
  readonly prompt: PromptView
  readonly onJump: (place: TextPlace) => void
}): JSX.Element {
  const places = useMemo(() => variablePlaces(prompt), [prompt])
  const shown = useRef({ name: '', index: 0 })
  if (places.size === 0) return <p class="dim">None.</p>
  const showNext = (name: string, all: readonly TextPlace[]): void => {
    const index = shown.current.name === name ? (shown.current.index + 1) % all.length : 0
    shown.current = { name, index }
    const place = all[index]
    if (place !== undefined) onJump(place)
  }
  return (
    <ul class="flow">
      {[...places].map(([name, all]) => (
        <li key={name}>
          <button
            type="button"
            class="jump token"
            title="Show it in the text"
            onClick={() => showNext(name, all)}
          >
            <code>
              <RemoteText text={name} />
            </code>
            {all.length > 1 && <span class="times">{` × ${count(all.length)}`}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
