import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatCount } from '../../../core/text/pluralize.ts'
import { compareCodePoints } from '../../../core/text/order.ts'
import { makeVisible } from '../../../core/text/visible.ts'
import { type BadgeKind, countBy } from '../entries.ts'
import { fieldTerm, type FilterField, hasTerm, toggleTerm, withField } from '../query.ts'
import { usePage } from '../use-page.ts'

/** The filters by badge, in the order in which they are shown. */
const LABELS = {
  breaking: 'Breaks',
  update: 'Changed',
  removed: 'Removed',
  held: 'Held',
  client: 'Client',
  note: 'Notes',
  unused: 'Unused',
} as const satisfies Record<BadgeKind, string>

interface FilterProps {
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Filters as chips. Each adds a term to the search, or removes it. */
export function Filters({ query, onQuery }: FilterProps): JSX.Element {
  const { entries } = usePage()
  const counts = useMemo(
    () => countBy(entries.flatMap(({ badges }) => badges.map(({ kind }) => kind))),
    [entries],
  )
  return (
    <div class="filters flow" role="group" aria-label="Filters">
      {(Object.keys(LABELS) as BadgeKind[]).map((kind) => {
        const number = counts.get(kind) ?? 0
        const term = `is:${kind}`
        const pressed = hasTerm(query, term)
        if (number === 0 && !pressed) return null
        return (
          <button
            key={kind}
            type="button"
            class={`chip ${kind}`}
            aria-pressed={pressed}
            onClick={() => onQuery(toggleTerm(query, term))}
          >
            {LABELS[kind]} <span class="count">{formatCount(number)}</span>
          </button>
        )
      })}
      <FieldFilter label="Folder" field="folder" query={query} onQuery={onQuery} />
      <FieldFilter label="Model" field="model" query={query} onQuery={onQuery} />
    </div>
  )
}

/** A choice of one value of a field. A field with one value is no choice. */
function FieldFilter({
  label,
  field,
  query,
  onQuery,
}: FilterProps & {
  readonly label: string
  readonly field: FilterField
}): JSX.Element | null {
  const { entries } = usePage()
  const values = useMemo(
    () => [...new Set(entries.map(({ prompt }) => prompt[field]))].toSorted(compareCodePoints),
    [entries],
  )
  if (values.length < 2) return null
  const chosen = values.findIndex((value) => hasTerm(query, fieldTerm(field, value)))
  return (
    <select
      class={`chip ${chosen === -1 ? '' : 'chosen'}`}
      aria-label={label}
      value={String(chosen)}
      onChange={({ currentTarget }) =>
        onQuery(withField(query, field, values[Number(currentTarget.value)]))
      }
    >
      <option value="-1">{`${label}: all`}</option>
      {values.map((value, index) => (
        <option key={value} value={String(index)}>
          {value === '' ? 'None' : makeVisible(value)}
        </option>
      ))}
    </select>
  )
}
