import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../copy.ts'

/** Milliseconds for which the button says what it did. */
const SHOWN = 1600

/** Copies a text and says so, to readers of the screen too. */
export function CopyButton({
  text,
  label,
  children = 'Copy',
  disabled = false,
}: {
  /** Called when it is needed, since it may be long. */
  readonly text: () => string
  /** What is copied, such as `system text`. */
  readonly label: string
  readonly children?: string
  readonly disabled?: boolean
}): JSX.Element {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => setOutcome((await copyText(text())) ? 'copied' : 'failed')
  const said = { copied: 'Copied', failed: 'Not copied' }
  return (
    <button type="button" class="button" disabled={disabled} onClick={() => void copy()}>
      <span aria-hidden="true">{outcome === undefined ? children : said[outcome]}</span>
      <span class="offscreen">{`${children} ${label}`}</span>
      <span class="offscreen" role="status">
        {outcome === undefined ? '' : said[outcome]}
      </span>
    </button>
  )
}
