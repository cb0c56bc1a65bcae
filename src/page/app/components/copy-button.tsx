import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../copy.ts'

/** How long the button shows the result, in milliseconds. */
const SHOWN = 1600

/** Copies a text and announces it, also to screen readers. */
export function CopyButton({
  text,
  label,
  children = 'Copy',
  disabled = false,
}: {
  /** Called on click, because the text may be long. */
  readonly text: () => string
  /** What is copied, such as `system text`. */
  readonly label: string
  readonly children?: string
  readonly disabled?: boolean
}): JSX.Element {
  // An object, so that every click shows its result for the whole time.
  const [outcome, setOutcome] = useState<{ readonly label: string }>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> =>
    setOutcome({ label: (await copyText(text())) ? 'Copied' : 'Not copied' })
  return (
    <button type="button" class="button" disabled={disabled} onClick={() => void copy()}>
      <span aria-hidden="true">{outcome === undefined ? children : outcome.label}</span>
      <span class="offscreen">{`${children} ${label}`}</span>
      <span class="offscreen" role="status">
        {outcome === undefined ? '' : outcome.label}
      </span>
    </button>
  )
}
