/** What follows from what the page knows. */
import { accessOf } from '../../core/app-code.ts'
import { planNames } from '../../core/names.ts'
import { rowsOf } from '../protocol.ts'
import { type Change, changesOf } from './changes.ts'
import { entriesOf, type Entry } from './entries.ts'
import type { Place } from './route.ts'
import { type Page, page } from './store.ts'

/** The prompts of the lock. */
export const entries: () => readonly Entry[] = derived(
  ({ project, changes, uses }) => [project?.prompts ?? [], changes, uses],
  entriesOf,
)

/** The changes that wait. */
export const waitingChanges: () => readonly Change[] = derived(
  ({ changes, uses, impact }) => [rowsOf(changes), uses, impact],
  changesOf,
)

/** The names of the prompts in code, by slug. */
const identifiers: () => ReadonlyMap<string, string> = derived(
  ({ project }) => [project?.prompts ?? []],
  (prompts) => planNames(prompts.map(({ slug }) => slug)).identifiers,
)

/** The expression for a prompt in code. */
export function accessTo(slug: string): string {
  return accessOf({ slug, identifier: identifiers().get(slug) ?? null })
}

/** What is shown. Changes open first, if something waits or stands in the way of knowing. */
export function currentPlace(): Place | undefined {
  const { route, changes } = page()
  if (route.place.kind !== 'home') return route.place
  const waits = changes?.kind !== 'compared' || changes.rows.length > 0
  return changes && { kind: waits ? 'changes' : 'prompts' }
}

/** Makes a value again only if one of its inputs is another. */
function derived<Inputs extends readonly unknown[] | [], Value>(
  inputsOf: (page: Page) => Inputs,
  make: (...inputs: Inputs) => Value,
): () => Value {
  let last: { readonly inputs: Inputs; readonly value: Value } | undefined
  return () => {
    const inputs = inputsOf(page())
    if (last === undefined || inputs.some((input, index) => input !== last?.inputs[index]))
      last = { inputs, value: make(...inputs) }
    return last.value
  }
}
