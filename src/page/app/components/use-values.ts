import { useState } from 'preact/hooks'

/** Values of variables, by name. */
export type Values = Readonly<Record<string, string>>

/** The values that the user typed. They stay in this tab of the browser. */
export function useValues(slug: string): {
  readonly values: Values
  readonly set: (name: string, value: string) => void
  readonly replace: (values: Values) => void
} {
  const key = `unplugin-prompts:${slug}`
  const [values, setValues] = useState<Values>(() => toValues(restore(() => sessionStorage, key)))
  const keep = (next: Values): void => {
    setValues(next)
    store(() => sessionStorage, key, Object.entries(next))
  }
  return {
    values,
    set: (name, value) => keep(Object.fromEntries([...Object.entries(values), [name, value]])),
    replace: keep,
  }
}

/** Values that were saved under a name. They stay in this browser. */
export type Fixtures = ReadonlyMap<string, Values>

/** The fixtures of a prompt. */
export function useFixtures(slug: string): {
  readonly fixtures: Fixtures
  /** `undefined` removes the fixture. */
  readonly save: (name: string, values: Values | undefined) => void
} {
  const key = `unplugin-prompts:fixtures:${slug}`
  const [fixtures, setFixtures] = useState<Fixtures>(() => toFixtures(key))
  return {
    fixtures,
    save(name, values) {
      const next = new Map(fixtures)
      if (values === undefined) next.delete(name)
      else next.set(name, values)
      setFixtures(next)
      const entries = [...next].map(([each, saved]) => [each, Object.entries(saved)])
      store(() => localStorage, key, entries)
    },
  }
}

function toFixtures(key: string): Fixtures {
  const entries = restore(() => localStorage, key)
  return new Map(entries.map(([name, values]) => [name, toValues(pairsIn(values))]))
}

function toValues(pairs: readonly Pair[]): Values {
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}

/** A name with what is stored under it. */
type Pair = readonly [name: string, value: unknown]

/** Reading the property of the window throws if storage is forbidden. */
function restore(storage: () => Storage, key: string): Pair[] {
  try {
    return pairsIn(JSON.parse(storage().getItem(key) ?? '[]'))
  } catch {
    return []
  }
}

function store(storage: () => Storage, key: string, pairs: unknown): void {
  try {
    storage().setItem(key, JSON.stringify(pairs))
  } catch {
    // Storage is full or forbidden: the values are lost on reload.
  }
}

function pairsIn(value: unknown): Pair[] {
  return Array.isArray(value) ? value.filter(isPair) : []
}

function isPair(value: unknown): value is Pair {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}
