import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A dialog that closes with Esc, and with a click next to it. One is open at a time. */
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
  readonly children: ComponentChildren
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && closeModal()}
    >
      {children}
    </dialog>
  )
}

/** Closes the open dialog. The focus returns to where it was. */
export function closeModal(): void {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
}
