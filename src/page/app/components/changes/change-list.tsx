import type { JSX } from 'preact'
import { formatCount, pluralize } from '../../../../core/text/pluralize.ts'
import { CHANGE_CLASSES } from '../../../../core/classify-change.ts'
import type { BrokenPlace, ChangesImpactView, ChangesView } from '../../../comparison-protocol.ts'
import { clockTime } from '../../numbers.ts'
import { useChangesQuery } from '../../use-changes.ts'
import { Card, More } from '../boxes.tsx'
import { Command } from '../command.tsx'
import { Impact } from '../impact.tsx'
import { Reason, RemoteText } from '../pieces.tsx'
import { ChangeSection } from './change-section.tsx'

/** The number of changes whose diff is open at first. */
const OPEN = 20

/** All changes of a comparison, from the worst to the least. */
export function ChangeList({
  changes: { names, counts, changes, reads, readAt },
  impact,
}: {
  readonly changes: ChangesView & { readonly kind: 'compared' }
  /** `undefined` until the app is checked. */
  readonly impact: ChangesImpactView | undefined
}): JSX.Element {
  const query = useChangesQuery()
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0)
  if (all === 0) return <p class="summary">Both sides are the same.</p>
  const classes = CHANGE_CLASSES.filter((name) => counts[name] > 0)
  return (
    <>
      <p class="summary flow" role="status">
        <strong>{pluralize(all, 'change')}</strong>
        {classes.map((name) => (
          <span key={name} class={`badge ${name}`}>{`${formatCount(counts[name])} ${name}`}</span>
        ))}
        {reads > 0 && (
          <span class="dim">{`${pluralize(reads, 'read')} at ${clockTime(readAt)}`}</span>
        )}
      </p>
      {query.kind === 'service' && (
        <p class="flow">
          Take them all: <Command command="pull" />
        </p>
      )}
      <AppImpact found={impact} />
      {changes.map((change, index) => (
        <ChangeSection
          key={change.slug}
          change={{ ...change, names }}
          places={placesOf(change.slug, impact)}
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

/** What the changes break, and what a pull can leave out because of that. */
function AppImpact({ found }: { readonly found: ChangesImpactView | undefined }): JSX.Element {
  if (found === undefined) {
    return (
      <p class="dim impact" role="status">
        Impact on the app: not checked yet. Checking…
      </p>
    )
  }
  const { impact, skipped } = found
  if (impact === null) return <p class="dim impact">No change can break a call.</p>
  const title = `Without breaking changes, ${pluralize(skipped.length, 'prompt')} would be skipped`
  return (
    <>
      <Impact impact={impact} />
      {skipped.length > 0 && (
        <Card title={title} label="Without breaking changes">
          <ul class="plain">
            {skipped.map(({ slug, reason }) => (
              <li key={slug} class="flow">
                <RemoteText text={slug} />
                <span class="reason">
                  <Reason text={reason} />
                </span>
              </li>
            ))}
          </ul>
          <Command command="pull --skip-breaking" />
        </Card>
      )}
    </>
  )
}

/** @returns `undefined` if it is not known what a change breaks */
function placesOf(
  slug: string,
  found: ChangesImpactView | undefined,
): readonly BrokenPlace[] | undefined {
  if (found === undefined || found.impact?.kind === 'error') return undefined
  return found.impact?.places.filter((place) => place.slug === slug) ?? []
}
