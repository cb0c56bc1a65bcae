import type { JSX } from 'preact'
import { plural } from '../../numbers.ts'
import { usePage } from '../../use-page.ts'
import { Command } from '../command.tsx'
import { More } from '../impact.tsx'
import { RemoteText } from '../pieces.tsx'

/** The maximum number of slugs shown. */
const SHOWN = 20

/** Why the service can't be reached, or which of its prompts the lock lacks. */
export function Service(): JSX.Element | null {
  const { service } = usePage().state
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
      <p class="slugs flow">
        {added.slice(0, SHOWN).map(({ slug }) => (
          <code key={slug}>
            <RemoteText text={slug} />
          </code>
        ))}
      </p>
      <More total={added.length} shown={SHOWN} />
      <p class="flow">
        <span class="dim">To pin them:</span> <Command command="pull" />
      </p>
    </section>
  )
}
