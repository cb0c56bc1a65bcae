import type { JSX } from 'preact'
import { CHANGE_CLASSES } from '../../../../core/classify-change.ts'
import type {
  BrokenPlace,
  ChangesQuery,
  ChangesView,
  SkippedView,
} from '../../../comparison-protocol.ts'
import { clockTime, count, plural } from '../../numbers.ts'
import type { ChangesReading } from '../../use-changes.ts'
import { Command } from '../command.tsx'
import type { DiffLayout } from '../comparison.tsx'
import { Impact, More } from '../impact.tsx'
import { MarkdownLine } from '../markdown-text.tsx'
import { RemoteText } from '../pieces.tsx'
import { ChangeSection } from './change-section.tsx'

/** The number of changes whose diff is open at first. */
const OPEN = 20

/** All changes of a comparison, from the worst to the least. */
export function ChangeList({
  changes: { names, counts, changes, reads, readAt },
  reading,
  query,
  layout,
}: {
  readonly changes: ChangesView & { readonly kind: 'compared' }
  readonly reading: ChangesReading
  readonly query: ChangesQuery
  readonly layout: DiffLayout
}): JSX.Element {
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0)
  if (all === 0) return <p class="summary">Both sides are the same.</p>
  const classes = CHANGE_CLASSES.filter((name) => counts[name] > 0)
  return (
    <>
      <p class="summary flow" role="status">
        <strong>{plural(all, 'change')}</strong>
        {classes.map((name) => (
          <span key={name} class={`badge ${name}`}>{`${count(counts[name])} ${name}`}</span>
        ))}
        {reads > 0 && <span class="dim">{`${plural(reads, 'read')} at ${clockTime(readAt)}`}</span>}
      </p>
      {query.kind === 'service' && (
        <p class="flow">
          Take them all: <Command command="pull" />
        </p>
      )}
      <AppImpact reading={reading} />
      <Skipped skipped={reading.impact?.skipped ?? []} />
      {changes.map((change, index) => (
        <ChangeSection
          key={change.slug}
          change={change}
          names={names}
          query={query}
          layout={layout}
          places={placesOf(change.slug, reading)}
          isOpen={index < OPEN}
        />
      ))}
      {all > changes.length && (
        <div class="flow">
          <More total={all} shown={changes.length} noun="change" />
          <Command command="diff" />
        </div>
      )}
    </>
  )
}

function AppImpact({ reading: { impact } }: { readonly reading: ChangesReading }): JSX.Element {
  if (impact === undefined) {
    return (
      <p class="dim impact" role="status">
        Impact on the app: not checked yet. Checking…
      </p>
    )
  }
  if (impact.impact === null) return <p class="dim impact">No change can break a call.</p>
  return <Impact impact={impact.impact} />
}

/** The changes that a pull can leave out because they break the app. */
function Skipped({ skipped }: { readonly skipped: readonly SkippedView[] }): JSX.Element | null {
  if (skipped.length === 0) return null
  return (
    <section class="card" aria-label="Without breaking changes">
      <h2>{`Without breaking changes, ${plural(skipped.length, 'prompt')} would be skipped`}</h2>
      <ul class="plain">
        {skipped.map(({ slug, reason }) => (
          <li key={slug} class="flow">
            <RemoteText text={slug} />
            <span class="reason">
              <MarkdownLine text={reason} />
            </span>
          </li>
        ))}
      </ul>
      <Command command="pull --skip-breaking" />
    </section>
  )
}

function placesOf(slug: string, { impact }: ChangesReading): readonly BrokenPlace[] | undefined {
  if (impact === undefined) return undefined
  const found = impact.impact
  if (found === null) return []
  return found.kind === 'found' ? found.places.filter((place) => place.slug === slug) : undefined
}
