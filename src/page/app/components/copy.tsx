import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { commandOf } from '../commands.ts'
import { project } from '../store.ts'

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

interface CommandProps {
  readonly command: string
  readonly values?: readonly string[]
}

/** A command with a button that copies it; nothing if it can't be pasted safely. */
export function Command({ command, values }: CommandProps): JSX.Element | null {
  const text = commandOf(project(), command, values)
  return text === undefined ? null : (
    <span class="command flow">
      <code>{text}</code>
      <CopyButton text={text} label={`the command ${text}`} />
    </span>
  )
}
