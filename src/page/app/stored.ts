const PREFIX = 'unplugin-prompts:'

/**
 * A value that stays in the browser. Storage may be full or forbidden: reading the property of the window
 * throws then. Not validated: only the page writes it.
 */
export function readStored<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null') as Value | null
  } catch {
    return null
  }
}

/** Keeps a value in the browser, if that is possible: the page works without it. */
export function keepStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // It is lost on reload.
  }
}
