import type { ComponentChild, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A dialog that closes with Esc, and with a click next to it. */
export function Modal({
  name,
  label,
  onClose,
  children,
}: {
  /** Its class. */
  readonly name: string
  readonly label: string
  readonly onClose: () => void
  readonly children: (close: () => void) => ComponentChild
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && close()}
    >
      {children(close)}
    </dialog>
  )
}
