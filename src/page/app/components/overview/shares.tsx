import type { JSX } from 'preact'
import type { Entry } from '../../entries.ts'
import { count } from '../../numbers.ts'
import { fieldTerm, type FilterField } from '../../query.ts'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of values shown. */
const SHOWN = 7

/** How the prompts divide among the values of a field, most frequent first. */
export function Shares({
  title,
  entries,
  fieldOf,
  field,
  onQuery,
}: {
  readonly title: string
  readonly entries: readonly Entry[]
  readonly fieldOf: (entry: Entry) => string
  /** The name of the field in a search. */
  readonly field: FilterField
  readonly onQuery: (query: string) => void
}): JSX.Element {
  const counts = countBy(entries, fieldOf)
  const most = counts[0]?.[1] ?? 1
  return (
    <section class="card shares" aria-label={title}>
      <h2>
        {title} <span class="dim">{count(counts.length)}</span>
      </h2>
      <ul>
        {counts.slice(0, SHOWN).map(([value, number]) => (
          <li key={value}>
            <button type="button" onClick={() => onQuery(fieldTerm(field, value))}>
              <span class="name">{value === '' ? 'None' : <RemoteText text={value} />}</span>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(number / most) * 100}%` }} />
              </span>
              <span class="number">{count(number)}</span>
            </button>
          </li>
        ))}
      </ul>
      {counts.length > SHOWN && (
        <p class="dim note">{`and ${count(counts.length - SHOWN)} more`}</p>
      )}
    </section>
  )
}

/** The values of a field with their number of prompts. Equally frequent ones keep their order. */
function countBy(entries: readonly Entry[], fieldOf: (entry: Entry) => string): [string, number][] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const value = fieldOf(entry)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
