import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { pluralize } from '../../../core/text/pluralize.ts'
import type { ServiceView } from '../../protocol.ts'
import { clockTime } from '../numbers.ts'
import { PageContext, usePage } from '../use-page.ts'
import { useRouter } from '../use-route.ts'

interface HeaderProps {
  /** Whether the service is being asked. */
  readonly checking: boolean
}

/** The lock and the state of the service, as soon as they are known. */
export function Header(props: HeaderProps): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <header class="header flow">
      <a class="home cluster" href={linkTo({ kind: 'overview' })}>
        <img src="./icon.svg" alt="" width={24} height={24} />
        Prompts
      </a>
      {useContext(PageContext) !== undefined && <Project {...props} />}
    </header>
  )
}

function Project({ checking }: HeaderProps): JSX.Element {
  const { environment, lock, lockPath } = usePage().state
  return (
    <>
      <span class={`environment ${environment}`}>{environment}</span>
      <code class="lock dim small cut">{lockPath}</code>
      {lock.kind === 'read' && (
        <div class="header-end cluster">
          <ServiceState checking={checking} />
        </div>
      )}
    </>
  )
}

/** Whether the lock is up to date, the time of the last check, and a button to check again. */
function ServiceState({ checking }: Pick<HeaderProps, 'checking'>): JSX.Element {
  const { state, check } = usePage()
  const { linkTo } = useRouter()
  const { service } = state
  const { tone, text, detail } = describe(service)
  const shown = tone === 'news' ? <a href={linkTo({ kind: 'changes' })}>{text}</a> : text
  return (
    <div class="service small cluster">
      <p class="cluster" role="status" title={detail}>
        <span class={`dot ${checking ? 'busy' : tone}`} aria-hidden="true" />
        <span class="status">{checking ? 'Checking the service…' : shown}</span>
        {'checkedAt' in service && !checking && (
          <span class="when dim">
            <span class="offscreen">, checked at </span>
            {clockTime(service.checkedAt)}
          </span>
        )}
      </p>
      {service.kind !== 'off' && (
        <button type="button" class="button" onClick={check}>
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

/** What the page calls a service that gives no answer. */
export const SERVICE_PROBLEMS = {
  off: 'Not connected to a service',
  failed: 'Service check failed',
} as const

function describe(service: ServiceView): Description {
  if (service.kind === 'unasked') {
    return { tone: 'quiet', text: 'Service not checked yet', detail: '' }
  }
  if (service.kind !== 'reached') {
    const { kind, error } = service
    const detail = `${error.why} ${error.fix}`
    return { tone: kind === 'off' ? 'quiet' : 'bad', text: SERVICE_PROBLEMS[kind], detail }
  }
  const detail = `${service.address}, plan: ${service.planStatus}`
  const { length } = service.drift
  return length === 0
    ? { tone: 'good', text: 'Up to date with the service', detail }
    : { tone: 'news', text: `${pluralize(length, 'change')} waiting`, detail }
}
