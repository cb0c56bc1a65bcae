import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { project } from '../store.ts'

/** Opens a file in the editor, through the endpoint of Vite's error overlay or of `prompts ui`. */
export function EditorLink({
  file,
  line,
}: {
  /** From the app's folder. */
  readonly file: string
  readonly line?: number | undefined
}): JSX.Element {
  const { editor, root } = project()
  const name = line === undefined ? file : `${file}:${line}`
  const [failed, setFailed] = useState(false)
  const address = editor + encodeURIComponent(`${root}/${name}`)
  const open = async (event: Event): Promise<void> => {
    event.preventDefault()
    const response = await fetch(address, { method: 'POST' }).catch(() => undefined)
    setFailed(response?.ok !== true)
  }
  return (
    <a href={address} title="Open in the editor" onClick={(event) => void open(event)}>
      <code>{name}</code>
      {failed && <span role="alert"> could not be opened</span>}
    </a>
  )
}
