import type { JSX } from 'preact'
import { type CommandContext, commandOf } from '../commands.ts'
import { CopyButton } from './copy-button.tsx'

/** A command with a button that copies it; nothing if it can't be pasted safely. */
export function Command({
  context,
  command,
  values,
}: {
  readonly context: CommandContext
  readonly command: string
  readonly values?: readonly string[]
}): JSX.Element | null {
  const text = commandOf(context, command, values)
  if (text === undefined) return null
  return (
    <span class="command">
      <code>{text}</code>
      <CopyButton text={() => text} label={`the command ${text}`} />
    </span>
  )
}
