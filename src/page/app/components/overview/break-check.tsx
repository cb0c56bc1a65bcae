import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Entry, hasBadge } from '../../entries.ts'
import { clockTime, count, plural } from '../../numbers.ts'
import { type ChangesReading, useChanges, useRevision } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'
import { ErrorMessage } from '../error-message.tsx'
import { Places } from '../impact.tsx'

/** The maximum number of places shown; the view of all changes has the others. */
const SHOWN = 6

/** What is known about the lines that the waiting updates break. */
export interface BreakChecking {
  readonly updates: readonly Entry[]
  readonly reading: ChangesReading
}

/** Checks which lines of the app the waiting updates break. Reads are metered, so they wait for a click. */
export function useBreakCheck(): BreakChecking {
  const { state, entries } = usePage()
  const updates = useMemo(() => entries.filter((entry) => hasBadge(entry, 'update')), [entries])
  const revision = useRevision(state)
  return { updates, reading: useChanges({ kind: 'service' }, { mode: 'known', revision }) }
}

/** The result of the check, with its age, or the button that starts it. */
export function BreakCheck({ updates, reading }: BreakChecking): JSX.Element | null {
  const { changes, impact } = reading
  if (updates.length === 0 || changes === undefined) return null
  if (changes.kind === 'error') return <ErrorMessage error={changes.error} />
  if (impact?.impact?.kind === 'error') return <ErrorMessage error={impact.impact.error} />
  const places = impact?.impact?.places ?? []
  return (
    <section
      class={`card break-check ${places.length > 0 ? 'bad-card' : ''}`}
      aria-label="What the updates break"
    >
      <h2>{titleOf(updates.length, impact && places.length)}</h2>
      {impact === undefined ? (
        <p class="dim">
          {`The check reads ${plural(updates.length, 'prompt')}, which most plans meter, and compiles the app with the new variables.`}
        </p>
      ) : (
        <Result places={places} readAt={changes.kind === 'compared' ? changes.readAt : 0} />
      )}
      <button
        type="button"
        class={`button ${impact === undefined ? 'primary' : ''}`}
        disabled={reading.isBusy}
        onClick={reading.read}
      >
        {reading.isBusy ? 'Checking…' : impact === undefined ? 'Check the app' : 'Check again'}
      </button>
    </section>
  )
}

/** @param broken - `undefined` if it is not known */
function titleOf(updates: number, broken: number | undefined): string {
  const noun = updates === 1 ? 'the update' : `the ${count(updates)} updates`
  if (broken === undefined) return `Would ${noun} break your code?`
  return broken === 0
    ? 'Your code fits the updates'
    : `${plural(broken, 'line')} of your app would break`
}

function Result({
  places,
  readAt,
}: {
  readonly places: Parameters<typeof Places>[0]['places']
  readonly readAt: number
}): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <>
      <Places places={places} most={SHOWN} />
      <p class="flow">
        <span class="dim">
          {`${places.length === 0 ? 'Every call compiles with them. ' : ''}Read from the service at ${clockTime(readAt)}.`}
        </span>
        <a href={linkTo({ kind: 'changes' })}>Review all changes</a>
      </p>
    </>
  )
}
