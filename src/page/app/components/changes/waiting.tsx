import type { JSX } from 'preact'
import type { ChangesQuery } from '../../../comparison-protocol.ts'
import type { DriftView } from '../../../protocol.ts'
import { plural } from '../../numbers.ts'
import type { ChangesReading } from '../../use-changes.ts'
import { ErrorMessage } from '../error-message.tsx'
import { usePage } from '../../use-page.ts'
import { Command } from '../command.tsx'
import { More } from '../impact.tsx'
import { RemoteText } from '../pieces.tsx'

/** What is known before the texts of a comparison are read. */
export function Waiting({
  query,
  reading,
}: {
  readonly query: ChangesQuery
  readonly reading: ChangesReading
}): JSX.Element {
  const { service, missingKey } = usePage().state
  if (reading.isBusy) {
    return (
      <p class="dim" role="status">
        Reading the changes…
      </p>
    )
  }
  if (query.kind !== 'service') {
    return (
      <ReadButton
        reading={reading}
        label="Read the drafts"
        note="One read for each prompt with a staging draft. Most plans meter reads."
        disabled={missingKey !== null}
      />
    )
  }
  if (service.kind === 'off' || service.kind === 'failed')
    return <ErrorMessage error={service.error} />
  if (service.kind === 'unasked') return <p class="dim">The service was not checked yet.</p>
  return service.drift.length === 0 ? (
    <NothingWaits />
  ) : (
    <Listed drift={service.drift} reading={reading} />
  )
}

function NothingWaits(): JSX.Element {
  return (
    <section class="card">
      <h2>No changes waiting</h2>
      <p>The list of the service matches the lock.</p>
      <p class="dim">
        It has neither texts nor temperatures, which can change under the same version label. To
        compare them too, at one read for each prompt:
      </p>
      <Command command="diff" />
    </section>
  )
}

/** The maximum number of slugs shown. */
const SHOWN = 100

function Listed({
  drift,
  reading,
}: {
  readonly drift: readonly DriftView[]
  readonly reading: ChangesReading
}): JSX.Element {
  return (
    <section class="card" aria-label="Not read yet">
      <h2>{`${plural(drift.length, 'change')} waiting`}</h2>
      <p class="dim">Class and impact are not checked yet.</p>
      <ReadButton
        reading={reading}
        label={`Read ${plural(drift.length, 'prompt')}`}
        note="One read for each. Most plans meter reads."
      />
      <ul class="plain">
        {drift.slice(0, SHOWN).map(({ slug, kind, version }) => (
          <li key={slug} class="flow">
            <RemoteText text={slug} />
            <span class="dim">
              {kind} {version !== null && <RemoteText text={version} />}
            </span>
          </li>
        ))}
      </ul>
      <More total={drift.length} shown={SHOWN} noun="change" />
    </section>
  )
}

function ReadButton({
  reading,
  label,
  note,
  disabled = false,
}: {
  readonly reading: ChangesReading
  readonly label: string
  readonly note: string
  readonly disabled?: boolean
}): JSX.Element {
  return (
    <p class="flow">
      <button type="button" class="button" disabled={disabled} onClick={reading.read}>
        {label}
      </button>
      <span class="dim">{note}</span>
    </p>
  )
}
