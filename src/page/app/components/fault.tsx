import type { JSX } from 'preact'
import type { FaultView } from '../../protocol.ts'

/** An error of the catalogue: why, and what mends it. */
export function Fault({ fault }: { readonly fault: FaultView }): JSX.Element {
  return (
    <div class="fault" role="alert">
      <p class="why">{fault.why}</p>
      <p>{fault.fix}</p>
      <code>{fault.code}</code>
    </div>
  )
}
