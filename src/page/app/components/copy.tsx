import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** How long the button shows the result, in milliseconds. */
const SHOWN = 1600

interface CopyButtonProps {
  readonly text: string
  /** What is copied, such as `system text`. */
  readonly label: string
}

/** Copies a text and announces it, also to screen readers. */
export function CopyButton({ text, label }: CopyButtonProps): JSX.Element {
  // An object, so that every click shows its result for the whole time.
  const [outcome, setOutcome] = useState<{ readonly label: string }>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> =>
    setOutcome({ label: (await copyText(text)) ? 'Copied' : 'Not copied' })
  return (
    <button type="button" class="button" onClick={() => void copy()}>
      <span aria-hidden="true">{outcome?.label ?? 'Copy'}</span>
      <span class="offscreen">{`Copy ${label}`}</span>
      <span class="offscreen" role="status">
        {outcome?.label}
      </span>
    </button>
  )
}

/** Copies a text to the clipboard. Returns whether it worked. */
function copyText(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}
