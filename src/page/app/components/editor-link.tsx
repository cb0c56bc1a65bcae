import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { usePage } from '../use-page.ts'

/**
 * Opens a file in the editor through the endpoint that Vite's error overlay uses. Without a dev
 * server it is plain text.
 */
export function EditorLink({
  file,
  path,
  line,
  children = line === undefined ? file : `${file}:${line}`,
}: {
  /** As it is shown. */
  readonly file: string
  /** Absolute. */
  readonly path: string
  readonly line?: number | undefined
  readonly children?: string
}): JSX.Element {
  const { editor } = usePage().state
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
