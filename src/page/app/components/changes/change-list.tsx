import type { JSX } from 'preact'
import { CHANGE_CLASSES } from '../../../../core/classify-change.ts'
import type { BrokenPlace, ChangesQuery, ChangesView, PageState } from '../../../protocol.ts'
import { count, plural } from '../../numbers.ts'
import type { ChangesReading } from '../../use-changes.ts'
import type { DiffLayout } from '../comparison.tsx'
import { Impact } from '../impact.tsx'
import { ChangeSection } from './change-section.tsx'
import { Command } from '../command.tsx'
import { Skipped } from './skipped.tsx'

/** The number of changes whose diff is open at first. */
const OPEN = 20

/** All changes of a comparison, from the worst to the least. */
export function ChangeList({
  changes: { names, counts, changes, reads },
  reading,
  query,
  state,
  layout,
}: {
  readonly changes: ChangesView & { readonly kind: 'compared' }
  readonly reading: ChangesReading
  readonly query: ChangesQuery
  readonly state: PageState
  readonly layout: DiffLayout
}): JSX.Element {
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0)
  if (all === 0) return <p class="summary">Both sides are the same.</p>
  const classes = CHANGE_CLASSES.filter((name) => counts[name] > 0)
  return (
    <>
      <p class="summary" role="status">
        <strong>{plural(all, 'change')}</strong>
        {classes.map((name) => (
          <span key={name} class={`badge ${name}`}>{`${count(counts[name])} ${name}`}</span>
        ))}
        {reads > 0 && <span class="dim">{plural(reads, 'read')}</span>}
      </p>
      {query.kind === 'service' && (
        <p class="commands">
          Take them all: <Command context={state} command="pull" />
        </p>
      )}
      <AppImpact reading={reading} editor={state.editor} />
      <Skipped skipped={reading.impact?.skipped ?? []} state={state} />
      {changes.map((change, index) => (
        <ChangeSection
          key={change.slug}
          change={change}
          names={names}
          query={query}
          state={state}
          layout={layout}
          places={placesOf(change.slug, reading)}
          isOpen={index < OPEN}
        />
      ))}
      {all > changes.length && (
        <p class="commands">
          {`and ${plural(all - changes.length, 'more change')}: `}
          <Command context={state} command="diff" />
        </p>
      )}
    </>
  )
}

function AppImpact({
  reading: { impact },
  editor,
}: {
  readonly reading: ChangesReading
  readonly editor: string | null
}): JSX.Element {
  if (impact === undefined) {
    return (
      <p class="dim impact" role="status">
        Impact on the app: not checked yet. Checking…
      </p>
    )
  }
  if (impact.impact === null) return <p class="dim impact">No change can break a call.</p>
  return <Impact impact={impact.impact} editor={editor} />
}

function placesOf(slug: string, { impact }: ChangesReading): readonly BrokenPlace[] | undefined {
  if (impact === undefined) return undefined
  const found = impact.impact
  if (found === null) return []
  return found.kind === 'found' ? found.places.filter((place) => place.slug === slug) : undefined
}
