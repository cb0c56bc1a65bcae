import { restore, store } from './storage.ts'

/** The colours of the page. `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']
const KEY = 'unplugin-prompts:theme'
const STORAGE = (): Storage => localStorage

/** Shows the page in the theme that was chosen in this browser. */
export function showStoredTheme(): void {
  const stored = restore(STORAGE, KEY)
  showTheme(THEMES.find((theme) => theme === stored) ?? 'system')
}

/** Shows the page in a theme, now and after a reload. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme)
  store(STORAGE, KEY, theme)
}

function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}
