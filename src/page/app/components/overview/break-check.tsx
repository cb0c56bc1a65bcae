import type { JSX } from 'preact'
import { formatCount, pluralize } from '../../../../core/text/pluralize.ts'
import { withBadge } from '../../entries.ts'
import { clockTime } from '../../numbers.ts'
import type { ChangesReading } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'
import { Card, ErrorMessage } from '../boxes.tsx'
import { Places } from '../impact.tsx'

/** The maximum number of places shown; the view of all changes has the others. */
const SHOWN = 6

/** The lines of the app that the waiting updates break, or the button that looks for them. */
export function BreakCheck(reading: ChangesReading): JSX.Element | null {
  const { answer: changes, impact, isBusy, read } = reading
  const { linkTo } = useRouter()
  const updates = withBadge(usePage().entries, 'update').length
  if (updates === 0 || changes === undefined) return null
  if (changes.kind === 'error') return <ErrorMessage error={changes.error} />
  if (impact?.impact?.kind === 'error') return <ErrorMessage error={impact.impact.error} />
  const places = impact && (impact.impact?.places ?? [])
  const fits = places?.length === 0 ? 'Every call compiles with them. ' : ''
  const readAt = changes.kind === 'compared' ? changes.readAt : 0
  return (
    <Card
      title={titleOf(updates, places?.length)}
      label="What the updates break"
      look={`break-check ${places !== undefined && places.length > 0 ? 'bad-card' : ''}`}
    >
      {places === undefined ? (
        <p class="dim">
          {`The check reads ${pluralize(updates, 'prompt')}, which most plans meter, and compiles the app with the new variables.`}
        </p>
      ) : (
        <>
          <Places places={places} most={SHOWN} />
          <p class="flow">
            <span class="dim">{`${fits}Read from the service at ${clockTime(readAt)}.`}</span>
            <a href={linkTo({ kind: 'changes' })}>Review all changes</a>
          </p>
        </>
      )}
      <button
        type="button"
        class={`button ${places === undefined ? 'primary' : ''}`}
        disabled={isBusy}
        onClick={read}
      >
        {isBusy ? 'Checking…' : places === undefined ? 'Check the app' : 'Check again'}
      </button>
    </Card>
  )
}

/** @param broken - `undefined` if it is not known */
function titleOf(updates: number, broken: number | undefined): string {
  const noun = updates === 1 ? 'the update' : `the ${formatCount(updates)} updates`
  if (broken === undefined) return `Would ${noun} break your code?`
  return broken === 0
    ? 'Your code fits the updates'
    : `${pluralize(broken, 'line')} of your app would break`
}
