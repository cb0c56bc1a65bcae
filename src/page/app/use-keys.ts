import { useEffect, useRef } from 'preact/hooks'

/** What a key does, by its name. `mod+` is Ctrl, or Command on a Mac. */
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

function actionOf(event: KeyboardEvent, keys: Keys): (() => void) | undefined {
  if (event.altKey || event.isComposing) return undefined
  if (event.ctrlKey || event.metaKey) return own(keys, `mod+${event.key.toLowerCase()}`)
  return isTyping(event.target) ? undefined : own(keys, event.key)
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
