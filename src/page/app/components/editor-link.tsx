import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

/**
 * Opens a file in the editor through the endpoint that Vite's error overlay uses. Without a dev
 * server it is plain text.
 */
export function EditorLink({
  editor,
  path,
  line,
  children,
}: {
  readonly editor: string | null
  readonly path: string
  readonly line: number | undefined
  readonly children: string
}): JSX.Element {
  const [failed, setFailed] = useState(false)
  if (editor === null) return <code>{children}</code>
  const address = editor + encodeURIComponent(line === undefined ? path : `${path}:${line}`)
  const open = async (event: Event): Promise<void> => {
    event.preventDefault()
    const response = await fetch(address).catch(() => undefined)
    setFailed(response?.ok !== true)
  }
  return (
    <a href={address} title="Open in the editor" onClick={(event) => void open(event)}>
      <code>{children}</code>
      {failed && <span role="alert"> could not be opened</span>}
    </a>
  )
}
