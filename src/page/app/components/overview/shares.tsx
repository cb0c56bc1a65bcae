import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatCount } from '../../../../core/text/pluralize.ts'
import { countBy } from '../../entries.ts'
import { fieldTerm, type FilterField } from '../../query.ts'
import { SEARCH } from '../../route.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'
import { Card, ShortList } from '../boxes.tsx'
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
  const counts = useMemo(() => {
    const all = countBy(entries.map(({ prompt }) => prompt[field]))
    return [...all].toSorted(([, a], [, b]) => b - a)
  }, [entries, field])
  const most = counts[0]?.[1] ?? 1
  return (
    <Card title={title} note={formatCount(counts.length)} look="shares">
      <ShortList items={counts} most={SHOWN}>
        {([value, number]) => (
          <li key={value}>
            <button
              type="button"
              class="bare small"
              onClick={() => set(SEARCH, fieldTerm(field, value))}
            >
              <span class="name cut">{value === '' ? 'None' : <RemoteText text={value} />}</span>
              <span class="bar" aria-hidden="true">
                <span style={{ width: `${(number / most) * 100}%` }} />
              </span>
              <span class="number dim">{formatCount(number)}</span>
            </button>
          </li>
        )}
      </ShortList>
    </Card>
  )
}
