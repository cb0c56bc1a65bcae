import { useState } from 'preact/hooks'

/**
 * A value that stays in the browser, and a function that replaces it. It is lost on reload if storage is
 * full or forbidden: reading the property of the window throws then. Not validated: only the page writes it.
 */
export function useStored<Value>(
  storage: () => Storage,
  key: string,
  initial: Value,
): readonly [value: Value, keep: (next: Value) => void] {
  const name = `unplugin-prompts:${key}`
  const [value, setValue] = useState(() => {
    try {
      return (JSON.parse(storage().getItem(name) ?? 'null') as Value | null) ?? initial
    } catch {
      return initial
    }
  })
  const keep = (next: Value): void => {
    setValue(() => next)
    try {
      storage().setItem(name, JSON.stringify(next))
    } catch {
      // The page works without it.
    }
  }
  return [value, keep]
}
