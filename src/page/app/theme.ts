import { useEffect, useState } from 'preact/hooks'
import { restore, store } from './storage.ts'

/** The colours of the page. `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

/** The themes, the default first. */
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'unplugin-prompts:theme'
const STORAGE = (): Storage => localStorage

/** The theme that was chosen in this browser, and a function that changes it now and for later. */
export function useTheme(): readonly [theme: Theme, choose: (name: string) => void] {
  const [theme, setTheme] = useState(() => toTheme(restore(STORAGE, KEY)))
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
  }, [theme])
  return [
    theme,
    (name) => {
      setTheme(toTheme(name))
      store(STORAGE, KEY, name)
    },
  ]
}

function toTheme(name: unknown): Theme {
  return THEMES.find((theme) => theme === name) ?? 'system'
}
