import type { InputHTMLAttributes, JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../use-keys.ts'

/** A field for a line of text that the browser neither completes nor checks. */
export function TextInput({
  onText,
  focusKeys = [],
  ...attributes
}: {
  readonly value: string
  readonly onText: (text: string) => void
  /** The keys that focus the field from anywhere. */
  readonly focusKeys?: readonly string[]
} & InputHTMLAttributes): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const focus = (): void => {
    input.current?.focus()
    input.current?.select()
  }
  useKeys(Object.fromEntries(focusKeys.map((key) => [key, focus])))
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
