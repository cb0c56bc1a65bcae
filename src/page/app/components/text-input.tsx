import type { InputHTMLAttributes, JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../use-keys.ts'

/** A field for a line of text that the browser neither completes nor checks. */
export function TextInput({
  onText,
  focusKey,
  ...attributes
}: {
  readonly value: string
  readonly onText: (text: string) => void
  /** The key that focuses the field from anywhere. */
  readonly focusKey?: string
} & InputHTMLAttributes): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const focus = (): void => {
    input.current?.focus()
    input.current?.select()
  }
  useKeys(focusKey === undefined ? {} : { [focusKey]: focus })
  return (
    <input
      ref={input}
      type="text"
      class="input"
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      {...attributes}
    />
  )
}
