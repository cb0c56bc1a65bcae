import type { JSX } from 'preact'
import type { ServiceView } from '../../protocol.ts'
import { clockTime, plural } from '../numbers.ts'
import { useRouter } from '../use-route.ts'

/** Whether the lock is up to date, the time of the last check, and a button to check again. */
export function ServiceState({
  service,
  checking,
  onCheck,
}: {
  readonly service: ServiceView
  readonly checking: boolean
  readonly onCheck: () => void
}): JSX.Element {
  const { tone, text, detail } = describe(service)
  const { linkTo } = useRouter()
  return (
    <div class="service">
      <p role="status" title={detail}>
        <span class={`dot ${checking ? 'busy' : tone}`} aria-hidden="true" />
        <span class="status">
          {checking ? (
            'Checking the service…'
          ) : tone === 'news' ? (
            <a href={linkTo({ kind: 'changes' })}>{text}</a>
          ) : (
            text
          )}
        </span>
        {'checkedAt' in service && !checking && (
          <span class="when">
            <span class="offscreen">, checked at </span>
            {clockTime(service.checkedAt)}
          </span>
        )}
      </p>
      {service.kind !== 'off' && (
        <button type="button" class="button" disabled={checking} onClick={onCheck}>
          Check<span class="offscreen"> the service now</span>
        </button>
      )}
    </div>
  )
}

interface Description {
  readonly tone: 'good' | 'news' | 'bad' | 'quiet'
  readonly text: string
  readonly detail: string
}

function describe(service: ServiceView): Description {
  if (service.kind === 'unasked') {
    return { tone: 'quiet', text: 'Service not checked yet', detail: '' }
  }
  if (service.kind === 'off') {
    const detail = `${service.error.why} ${service.error.fix}`
    return { tone: 'quiet', text: 'Not connected to a service', detail }
  }
  if (service.kind === 'failed') {
    const detail = `${service.error.why} ${service.error.fix}`
    return { tone: 'bad', text: 'Service check failed', detail }
  }
  const detail = `${service.address}, plan: ${service.planStatus}`
  const { length } = service.drift
  return length === 0
    ? { tone: 'good', text: 'Up to date with the service', detail }
    : { tone: 'news', text: `${plural(length, 'change')} waiting`, detail }
}
