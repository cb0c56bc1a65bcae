import type { JSX } from 'preact'
import { pluralize } from '../../../../core/text/pluralize.ts'
import { type ChangesReading, useChangesQuery } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { Card, ErrorMessage, ShortList } from '../boxes.tsx'
import { Command } from '../command.tsx'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of slugs shown. */
const SHOWN = 100

/** What is known before the texts of a comparison are read, and the button that reads them. */
export function Waiting({ isBusy, read }: ChangesReading): JSX.Element {
  const { service, missingKey } = usePage().state
  const { kind } = useChangesQuery()
  const button = (label: string, note: string): JSX.Element => (
    <p class="flow">
      <button
        type="button"
        class="button"
        disabled={kind === 'staging' && missingKey !== null}
        onClick={read}
      >
        {label}
      </button>
      <span class="dim">{`${note} Most plans meter reads.`}</span>
    </p>
  )
  if (isBusy) {
    return (
      <p class="dim" role="status">
        Reading the changes…
      </p>
    )
  }
  if (kind !== 'service') {
    return button('Read the drafts', 'One read for each prompt with a staging draft.')
  }
  if (service.kind === 'unasked') return <p class="dim">The service was not checked yet.</p>
  if (service.kind !== 'reached') return <ErrorMessage error={service.error} />
  const { drift } = service
  if (drift.length === 0) return <NothingWaits />
  return (
    <Card title={`${pluralize(drift.length, 'change')} waiting`} label="Not read yet">
      <p class="dim">Class and impact are not checked yet.</p>
      {button(`Read ${pluralize(drift.length, 'prompt')}`, 'One read for each.')}
      <ShortList items={drift} most={SHOWN} noun="change" look="plain">
        {({ slug, kind: change, version }) => (
          <li key={slug} class="flow">
            <RemoteText text={slug} />
            <span class="dim">
              {change} {version !== null && <RemoteText text={version} />}
            </span>
          </li>
        )}
      </ShortList>
    </Card>
  )
}

function NothingWaits(): JSX.Element {
  return (
    <Card title="No changes waiting">
      <p>The list of the service matches the lock.</p>
      <p class="dim">
        It has neither texts nor temperatures, which can change under the same version label. To
        compare them too, at one read for each prompt:
      </p>
      <Command command="diff" />
    </Card>
  )
}
