import type { JSX } from 'preact'
import { formatCommand } from '../../../../errors/suggested-command.ts'
import type { PageState } from '../../../protocol.ts'
import { plural } from '../../numbers.ts'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of slugs shown. */
const SHOWN = 20

/** Why the service can't be reached, or which of its prompts the lock lacks. */
export function Service({
  state: { workspace, service },
}: {
  readonly state: PageState
}): JSX.Element | null {
  if (service.kind === 'off' || service.kind === 'failed') {
    return (
      <section class="card" aria-label="The prompt service">
        <h2>{service.kind === 'off' ? 'Not connected to a service' : 'Service check failed'}</h2>
        <p class="why">{service.error.why}</p>
        <p class="dim">{service.error.fix}</p>
        {service.kind === 'failed' && <code>{service.error.code}</code>}
      </section>
    )
  }
  if (service.kind !== 'reached') return null
  const added = service.drift.filter(({ kind }) => kind === 'added')
  if (added.length === 0) return null
  return (
    <section class="card" aria-label="Not pinned yet">
      <h2>{`${plural(added.length, 'prompt')} not pinned yet`}</h2>
      <p class="slugs">
        {added.slice(0, SHOWN).map(({ slug }) => (
          <code key={slug}>
            <RemoteText text={slug} />
          </code>
        ))}
        {added.length > SHOWN && <span class="dim">{`and ${added.length - SHOWN} more`}</span>}
      </p>
      <p class="dim">
        Run <code>npx {formatCommand(workspace, 'pull')}</code> to pin them.
      </p>
    </section>
  )
}
