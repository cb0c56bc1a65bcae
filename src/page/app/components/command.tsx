import type { JSX } from 'preact'
import { commandOf } from '../commands.ts'
import { project } from '../store.ts'
import { CopyButton } from './copy-button.tsx'

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
