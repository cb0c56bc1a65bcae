import type { JSX } from 'preact'
import { pluralize } from '../../../../core/text/pluralize.ts'
import { usePage } from '../../use-page.ts'
import { Card, More } from '../boxes.tsx'
import { Command } from '../command.tsx'
import { SERVICE_PROBLEMS } from '../header.tsx'
import { RemoteCode } from '../pieces.tsx'

/** The maximum number of slugs shown. */
const SHOWN = 20

/** Why the service can't be reached, or which of its prompts the lock lacks. */
export function Service(): JSX.Element | null {
  const { service } = usePage().state
  if (service.kind === 'off' || service.kind === 'failed') {
    const { why, fix, code } = service.error
    return (
      <Card title={SERVICE_PROBLEMS[service.kind]} label="The prompt service">
        <p class="why">{why}</p>
        <p class="dim">{fix}</p>
        {service.kind === 'failed' && <code>{code}</code>}
      </Card>
    )
  }
  const drift = service.kind === 'reached' ? service.drift : []
  const added = drift.filter(({ kind }) => kind === 'added')
  if (added.length === 0) return null
  return (
    <Card title={`${pluralize(added.length, 'prompt')} not pinned yet`} label="Not pinned yet">
      <p class="slugs small flow">
        {added.slice(0, SHOWN).map(({ slug }) => (
          <RemoteCode key={slug} text={slug} />
        ))}
      </p>
      <More total={added.length} shown={SHOWN} />
      <p class="flow">
        <span class="dim">To pin them:</span> <Command command="pull" />
      </p>
    </Card>
  )
}
