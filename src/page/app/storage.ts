/** What is stored under a key. Reading the property of the window throws if storage is forbidden. */
export function restore(storage: () => Storage, key: string): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a value under a key. It is lost on reload if storage is full or forbidden. */
export function store(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify(value))
  } catch {
    // The page works without it.
  }
}
