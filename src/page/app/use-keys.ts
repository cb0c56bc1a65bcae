import { useEffect, useRef } from 'preact/hooks'

/** What a key does, by its name. `mod+` is Ctrl, or Command on a Mac; `g p` is one after the other. */
export type Keys = Readonly<Record<string, () => void>>

/** Runs actions for keys, except while the user types or a dialog is open. `mod+` keys always run. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      const action = actionOf(event, current.current)
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [])
}

/** The milliseconds in which a second key belongs to the first. */
const SEQUENCE = 1000

let previous = { key: '', at: Number.NEGATIVE_INFINITY }
let last = previous

function actionOf(event: KeyboardEvent, keys: Keys): (() => void) | undefined {
  if (event.altKey || event.isComposing) return undefined
  if (event.ctrlKey || event.metaKey) return own(keys, `mod+${event.key.toLowerCase()}`)
  if (isTyping(event.target)) return undefined
  // Every listener sees the same event, and none may take it for the one before.
  if (event.timeStamp !== last.at)
    [previous, last] = [last, { key: event.key, at: event.timeStamp }]
  const isSequence = last.at - previous.at < SEQUENCE
  return (
    (isSequence ? own(keys, `${previous.key} ${event.key}`) : undefined) ?? own(keys, event.key)
  )
}

function own(keys: Keys, name: string): (() => void) | undefined {
  return Object.hasOwn(keys, name) ? keys[name] : undefined
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  const isField =
    target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select')
  // The field of a dialog that was just closed keeps the focus until the next frame.
  return isField && target.checkVisibility()
}
