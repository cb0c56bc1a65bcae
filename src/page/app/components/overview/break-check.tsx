import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { BrokenPlace, ChangesImpactView, PageState } from '../../../protocol.ts'
import type { Entry } from '../../entries.ts'
import { count, plural } from '../../numbers.ts'
import { type ChangesReading, useChanges } from '../../use-changes.ts'
import { useRouter } from '../../use-route.ts'
import { EditorLink } from '../editor-link.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { MarkdownLine } from '../markdown-text.tsx'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of places shown; the view of all changes has the others. */
const SHOWN = 6

/** Checks which lines of the app the waiting updates break. */
export function BreakCheck({
  state,
  entries,
  reload,
}: {
  readonly state: PageState
  readonly entries: readonly Entry[]
  readonly reload: () => void
}): JSX.Element | null {
  const updates = entries.filter(({ badges }) => badges.some(({ kind }) => kind === 'update'))
  const { lock, editor } = state
  const isKnown = updates.length > 0 && updates.every(({ prompt }) => prompt.change !== undefined)
  const revision = JSON.stringify([
    lock.kind === 'read' && lock.revision,
    updates.map(({ drift }) => drift),
  ])
  const [atOnce, setAtOnce] = useState(false)
  const reading = useChanges({ kind: 'service' }, { atOnce, revision, onRead: reload })
  const hasStarted = reading.isReading || reading.changes !== undefined
  useEffect(() => {
    // What was read a moment ago is read again without a request to the service.
    if (isKnown && !hasStarted) setAtOnce(true)
  }, [isKnown, hasStarted])
  if (updates.length === 0) return null
  const { changes, impact } = reading
  if (changes?.kind === 'error') return <ErrorMessage error={changes.error} />
  if (impact !== undefined) return <Result impact={impact} editor={editor} />
  return <Offer updates={updates.length} reading={reading} isBusy={hasStarted} />
}

/** Reads are commonly metered, so they wait for a click. */
function Offer({
  updates,
  reading,
  isBusy,
}: {
  readonly updates: number
  readonly reading: ChangesReading
  readonly isBusy: boolean
}): JSX.Element {
  return (
    <section class="card break-check" aria-label="What the updates break">
      <h2>{`Would ${updates === 1 ? 'the update' : `the ${count(updates)} updates`} break your code?`}</h2>
      <p class="dim">
        {`The check reads ${plural(updates, 'prompt')}, which most plans meter, and compiles the app with the new variables.`}
      </p>
      <button type="button" class="button primary" disabled={isBusy} onClick={reading.read}>
        {isBusy ? 'Checking…' : 'Check the app'}
      </button>
    </section>
  )
}

function Result({
  impact: { impact },
  editor,
}: {
  readonly impact: ChangesImpactView
  readonly editor: string | null
}): JSX.Element {
  const { linkTo } = useRouter()
  if (impact?.kind === 'error') return <ErrorMessage error={impact.error} />
  const places = impact?.places ?? []
  const all = <a href={linkTo({ kind: 'changes' })}>Review all changes</a>
  if (places.length === 0) {
    return (
      <section class="card break-check" aria-label="What the updates break">
        <h2>Your code fits the updates</h2>
        <p class="dim">Every call compiles with them. {all}</p>
      </section>
    )
  }
  return (
    <section class="card break-check broken" aria-label="What the updates break">
      <h2>{`${plural(places.length, 'line')} of your app would break`}</h2>
      <ul>
        {places.slice(0, SHOWN).map((place, index) => (
          <Place key={index} place={place} editor={editor} />
        ))}
      </ul>
      <p class="dim">
        {places.length > SHOWN && `and ${count(places.length - SHOWN)} more. `}
        {all}
      </p>
    </section>
  )
}

function Place({
  place: { file, path, line, slug, reason },
  editor,
}: {
  readonly place: BrokenPlace
  readonly editor: string | null
}): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <li>
      <p class="file">
        <EditorLink editor={editor} path={path} line={line}>
          {`${file}:${line}`}
        </EditorLink>
        {slug !== null && (
          <a href={linkTo({ kind: 'prompt', slug, view: 'compare' })}>
            <RemoteText text={slug} />
          </a>
        )}
      </p>
      <p class="reason">
        <MarkdownLine text={reason} />
      </p>
    </li>
  )
}
