import type { JSX } from 'preact'
import type { ErrorView } from '../../protocol.ts'

/** An error of the catalogue: what happened, and how to fix it. */
export function ErrorMessage({ error }: { readonly error: ErrorView }): JSX.Element {
  return (
    <div class="error-message" role="alert">
      <p class="why">{error.why}</p>
      <p>{error.fix}</p>
      <code class="dim">{error.code}</code>
    </div>
  )
}
