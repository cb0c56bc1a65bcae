import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { MOST_MATCHES } from '../find-ranges.ts'
import { count } from '../numbers.ts'
import { useKeys } from '../use-keys.ts'
import type { Found } from './use-find.ts'

/** Finds a text in the texts of a prompt. `f` focuses it, Enter and Shift Enter move. */
export function FindBar({
  text,
  onText,
  found: { total, current, move },
}: {
  readonly text: string
  readonly onText: (text: string) => void
  readonly found: Found
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  useKeys({
    f: () => {
      input.current?.focus()
      input.current?.select()
    },
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onText('')
    if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
  }
  return (
    <div class="find flow" role="search" aria-label="In this prompt">
      <input
        ref={input}
        type="text"
        class="input"
        aria-label="Find in the text"
        placeholder="Find in the text"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <>
          <output>{total === 0 ? 'None' : `${count(current + 1)} of ${all(total)}`}</output>
          <Step label="Previous match" sign="↑" disabled={total < 2} onClick={() => move(-1)} />
          <Step label="Next match" sign="↓" disabled={total < 2} onClick={() => move(1)} />
        </>
      )}
    </div>
  )
}

function all(total: number): string {
  return total < MOST_MATCHES ? count(total) : `${count(total)}+`
}

function Step({
  label,
  sign,
  disabled,
  onClick,
}: {
  readonly label: string
  readonly sign: string
  readonly disabled: boolean
  readonly onClick: () => void
}): JSX.Element {
  return (
    <button
      type="button"
      class="button small"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      {sign}
    </button>
  )
}
