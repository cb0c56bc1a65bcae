import type { JSX } from 'preact'
import { commandOf } from '../commands.ts'
import { project } from '../store.ts'
import { CopyButton } from './copy-button.tsx'

/** A command with a button that copies it; nothing if it can't be pasted safely. */
export function Command({
  command,
  values,
  note,
}: {
  readonly command: string
  readonly values?: readonly string[]
  /** Shown before it. */
  readonly note?: string
}): JSX.Element | null {
  const text = commandOf(project(), command, values)
  if (text === undefined) return null
  return (
    <span>
      {note}
      <Snippet text={text} label={`the command ${text}`} />
    </span>
  )
}

/** A piece of code with a button that copies it. */
export function Snippet({
  text,
  label,
}: {
  readonly text: string
  /** What is copied. */
  readonly label: string
}): JSX.Element {
  return (
    <span class="command flow">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}
