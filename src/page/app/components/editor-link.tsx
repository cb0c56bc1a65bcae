import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { settings } from '../store.ts'

/**
 * Opens a file in the editor through the endpoint that Vite's error overlay uses. Without a dev
 * server it is plain text.
 */
export function EditorLink({
  file,
  line,
}: {
  /** From the app's folder. */
  readonly file: string
  readonly line?: number | undefined
}): JSX.Element {
  const { editor, root } = settings()
  const name = line === undefined ? file : `${file}:${line}`
  const [failed, setFailed] = useState(false)
  if (editor === null) return <code>{name}</code>
  const address = editor + encodeURIComponent(`${root}/${name}`)
  const open = async (event: Event): Promise<void> => {
    event.preventDefault()
    const response = await fetch(address).catch(() => undefined)
    setFailed(response?.ok !== true)
  }
  return (
    <a href={address} title="Open in the editor" onClick={(event) => void open(event)}>
      <code>{name}</code>
      {failed && <span role="alert"> could not be opened</span>}
    </a>
  )
}
