import type { JSX } from 'preact'
import type { Connection } from '../use-page-state.ts'
import { useRouter } from '../use-route.ts'
import { ServiceState } from './service-state.tsx'

/** The lock, the palette and the state of the service. */
export function Header({
  connection: { state, checking, check },
  onPalette,
}: {
  readonly connection: Connection
  readonly onPalette: () => void
}): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <header class="header">
      <a class="home" href={linkTo({ kind: 'overview' })}>
        <img src="./icon.svg" alt="" width={24} height={24} />
        Prompts
      </a>
      {state !== undefined && (
        <>
          <span class={`environment ${state.environment}`}>{state.environment}</span>
          <code class="lock dim cut">{state.lockPath}</code>
          {state.lock.kind === 'read' && (
            <div class="header-end">
              <button type="button" class="button palette-button" onClick={onPalette}>
                <span class="name">Go to…</span>
                <kbd aria-hidden="true">{isMac() ? '⌘ K' : 'Ctrl K'}</kbd>
              </button>
              <ServiceState service={state.service} checking={checking} onCheck={check} />
            </div>
          )}
        </>
      )}
    </header>
  )
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent)
}
