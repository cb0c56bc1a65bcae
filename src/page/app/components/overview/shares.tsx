import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Entry } from '../../entries.ts'
import { count } from '../../numbers.ts'
import { fieldTerm, type FilterField } from '../../query.ts'
import { SEARCH } from '../../route.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'
import { More } from '../impact.tsx'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of values shown. */
const SHOWN = 7

/** How the prompts divide among the values of a field, most frequent first. */
export function Shares({
  title,
  field,
}: {
  readonly title: string
  readonly field: FilterField
}): JSX.Element {
  const { entries } = usePage()
  const { set } = useRouter()
  const counts = useMemo(() => countBy(entries, field), [entries, field])
  const most = counts[0]?.[1] ?? 1
  return (
    <section class="card shares" aria-label={title}>
      <h2>
        {title} <span class="dim">{count(counts.length)}</span>
      </h2>
      <ul>
        {counts.slice(0, SHOWN).map(([value, number]) => (
          <li key={value}>
            <button type="button" onClick={() => set(SEARCH, fieldTerm(field, value))}>
              <span class="name cut">{value === '' ? 'None' : <RemoteText text={value} />}</span>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(number / most) * 100}%` }} />
              </span>
              <span class="number">{count(number)}</span>
            </button>
          </li>
        ))}
      </ul>
      <More total={counts.length} shown={SHOWN} />
    </section>
  )
}

/** The values of a field with their number of prompts. Equally frequent ones keep their order. */
function countBy(entries: readonly Entry[], field: FilterField): [string, number][] {
  const counts = new Map<string, number>()
  for (const { prompt } of entries) {
    counts.set(prompt[field], (counts.get(prompt[field]) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
