import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { API, OPEN } from '../../protocol.ts'
import { post, project } from '../store.ts'

interface EditorLinkProps {
  /** From the app's folder. */
  readonly file: string
  readonly line?: number | undefined
}

/** Opens a file in the editor, through the server of the page. */
export function EditorLink({ file, line }: EditorLinkProps): JSX.Element {
  const { root } = project()
  const name = line === undefined ? file : `${file}:${line}`
  const [failed, setFailed] = useState(false)
  const open = async (event: Event): Promise<void> => {
    event.preventDefault()
    const response = await post(OPEN, { file: `${root}/${name}` }).catch(() => undefined)
    setFailed(response?.ok !== true)
  }
  return (
    <a href={API + OPEN} title="Open in the editor" onClick={(event) => void open(event)}>
      <code>{name}</code>
      {failed && <span role="alert"> could not be opened</span>}
    </a>
  )
}
