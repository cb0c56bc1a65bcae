import type { InputHTMLAttributes, JSX } from 'preact'

/** A field for a line of text that the browser neither completes nor checks. */
export function TextInput({
  onText,
  ...attributes
}: {
  readonly value: string
  readonly onText: (text: string) => void
} & InputHTMLAttributes): JSX.Element {
  return (
    <input
      type="text"
      class="input"
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      {...attributes}
    />
  )
}
