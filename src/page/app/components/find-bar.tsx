import type { JSX } from 'preact'
import { MOST_MATCHES } from '../find-ranges.ts'
import { count } from '../numbers.ts'
import { TextInput } from './text-input.tsx'
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
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onText('')
    if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
  }
  const stepButton = (step: number, label: string, sign: string): JSX.Element => (
    <button
      type="button"
      class="button small"
      aria-label={label}
      disabled={total < 2}
      onClick={() => move(step)}
    >
      {sign}
    </button>
  )
  const all = total < MOST_MATCHES ? count(total) : `${count(total)}+`
  return (
    <div class="find flow" role="search" aria-label="In this prompt">
      <TextInput
        focusKey="f"
        aria-label="Find in the text"
        placeholder="Find in the text"
        value={text}
        onText={onText}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <>
          <output class="dim tiny">
            {total === 0 ? 'None' : `${count(current + 1)} of ${all}`}
          </output>
          {stepButton(-1, 'Previous match', '↑')}
          {stepButton(1, 'Next match', '↓')}
        </>
      )}
    </div>
  )
}
