import { useState } from 'preact/hooks'
import { restore, store } from './storage.ts'

/** Values of variables, by name. */
export type Values = Readonly<Record<string, string>>

/** Values that were saved, by the name that the user gave them. */
export type Fixtures = Readonly<Record<string, Values>>

type Stored<Value> = readonly [value: Value, keep: (value: Value) => void]

/** The values that the user typed for a prompt. They stay in this tab of the browser. */
export function useValues(slug: string): Stored<Values> {
  return useStored(() => sessionStorage, `unplugin-prompts:${slug}`, toValues)
}

/** The values that the user saved for a prompt. They stay in this browser. */
export function useFixtures(slug: string): Stored<Fixtures> {
  return useStored(
    () => localStorage,
    `unplugin-prompts:fixtures:${slug}`,
    (stored) => toRecord(stored, toValues),
  )
}

/** @param parse - of what is stored, which may be anything */
function useStored<Value>(
  storage: () => Storage,
  key: string,
  parse: (stored: unknown) => Value,
): Stored<Value> {
  const [value, setValue] = useState(() => parse(restore(storage, key)))
  const keep = (next: Value): void => {
    setValue(() => next)
    store(storage, key, next)
  }
  return [value, keep]
}

function toValues(stored: unknown): Values {
  return toRecord(stored, String)
}

function toRecord<Value>(
  stored: unknown,
  convert: (value: unknown) => Value,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(stored ?? {}).map(([name, value]) => [name, convert(value)])
  return Object.fromEntries(entries)
}
