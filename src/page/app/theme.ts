/** The colours of the page. `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']
const KEY = 'unplugin-prompts:theme'

/** The theme that was chosen in this browser. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows the page in a theme. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}

/** Shows the page in a theme, now and after a reload. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage is full or forbidden: the next visit starts with the system's theme.
  }
}
