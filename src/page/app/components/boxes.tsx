import type { ComponentChildren, HTMLAttributes, JSX } from 'preact'
import type { ErrorView } from '../../protocol.ts'

interface PanelProps extends HTMLAttributes<HTMLElement> {
  readonly title: string
  /** Next to the title. */
  readonly aside?: ComponentChildren
}

/** A box for a text, with a title above. */
export function Panel({ title, aside, children, ...attributes }: PanelProps): JSX.Element {
  return (
    <section class="panel" {...attributes}>
      <header class="flow">
        <h2>{title}</h2>
        <span class="grow" />
        {aside}
      </header>
      {children}
    </section>
  )
}

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
