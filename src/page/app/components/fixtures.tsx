import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { makeVisible } from '../../../core/text/visible.ts'
import { useFixtures, type Values } from './use-values.ts'

/** Saves values of a prompt under a name, and brings them back. */
export function Fixtures({
  slug,
  values,
  onChoose,
}: {
  readonly slug: string
  readonly values: Values
  readonly onChoose: (values: Values) => void
}): JSX.Element {
  const { fixtures, save } = useFixtures(slug)
  const [name, setName] = useState('')
  const choose = (chosen: string): void => {
    setName(chosen)
    const saved = fixtures.get(chosen)
    if (saved !== undefined) onChoose(saved)
  }
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    save(name.trim(), values)
  }
  return (
    <form class="fixtures flow" onSubmit={onSubmit}>
      <input
        type="text"
        class="input"
        aria-label="Name for these values"
        placeholder="Save these values as…"
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" class="button" disabled={name.trim() === ''}>
        Save
      </button>
      {fixtures.size > 0 && (
        <ul class="saved flow" aria-label="Saved values">
          {[...fixtures.keys()].map((saved) => (
            <li key={saved}>
              <button type="button" class="chip" onClick={() => choose(saved)}>
                {makeVisible(saved)}
              </button>
              <button
                type="button"
                class="chip remove"
                aria-label={`Remove ${makeVisible(saved)}`}
                onClick={() => save(saved, undefined)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
