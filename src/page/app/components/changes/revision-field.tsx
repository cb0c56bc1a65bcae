import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

/** A field for a branch, tag or commit, which applies on Enter. */
export function RevisionField({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}): JSX.Element {
  const [text, setText] = useState(value)
  const submit = (event: Event): void => {
    event.preventDefault()
    onChange(text.trim())
  }
  return (
    <form class="revision" onSubmit={submit}>
      <label>
        Branch, tag or commit
        <input
          type="text"
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Compare
      </button>
    </form>
  )
}
