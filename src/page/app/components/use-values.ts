import { useState } from 'preact/hooks'

/** Values of variables, by name. */
export type Values = Readonly<Record<string, string>>

/** The values that the user typed. They stay in this tab of the browser. */
export function useValues(slug: string): {
  readonly values: Values
  readonly set: (name: string, value: string) => void
  readonly clear: () => void
} {
  const key = `unplugin-prompts:${slug}`
  const [values, setValues] = useState<Values>(() => restore(key))
  const keep = (next: Values): void => {
    setValues(next)
    try {
      sessionStorage.setItem(key, JSON.stringify(Object.entries(next)))
    } catch {
      // Storage is full or forbidden: the values are lost on reload.
    }
  }
  return {
    values,
    set: (name, value) => keep(Object.fromEntries([...Object.entries(values), [name, value]])),
    clear: () => keep({}),
  }
}

function restore(key: string): Values {
  try {
    const entries: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(entries) ? Object.fromEntries(entries.filter(isEntry)) : {}
  } catch {
    return {}
  }
}

function isEntry(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string')
  )
}
