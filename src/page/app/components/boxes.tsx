import type { ComponentChildren, HTMLAttributes, JSX } from 'preact'
import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import type { ErrorView } from '../../protocol.ts'

/** A box with a title. */
export function Card({
  title,
  note,
  label = title,
  look = '',
  children,
}: {
  readonly title: string
  /** Shown less strongly next to the title. */
  readonly note?: string | false
  /** The name for screen readers. Default: the title. */
  readonly label?: string
  /** Further classes. */
  readonly look?: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section class={`card ${look}`} aria-label={label}>
      <h2>
        {title} {note !== undefined && note !== false && <span class="dim">{note}</span>}
      </h2>
      {children}
    </section>
  )
}

/** A box for a text, with a title above. */
export function Panel({
  title,
  aside,
  children,
  ...attributes
}: {
  readonly title: string
  /** Next to the title. */
  readonly aside?: ComponentChildren
} & HTMLAttributes<HTMLElement>): JSX.Element {
  return (
    <section class="panel" {...attributes}>
      <header class="flow">
        <h2>{title}</h2>
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

/** The first items of a list, and how many it leaves out. */
export function ShortList<Item>({
  items,
  most,
  noun,
  look,
  children,
}: {
  readonly items: readonly Item[]
  /** The maximum number of items shown. */
  readonly most: number
  /** What is left out, in the singular. Default: clear from the list. */
  readonly noun?: string
  /** The class of the list. */
  readonly look?: string
  /** Draws an item of the list. */
  readonly children: (item: Item, index: number) => JSX.Element
}): JSX.Element {
  return (
    <>
      <ul class={look}>{items.slice(0, most).map(children)}</ul>
      <More total={items.length} shown={most} noun={noun} />
    </>
  )
}

/** How many items a shortened list leaves out. */
export function More({
  total,
  shown,
  noun,
}: {
  readonly total: number
  readonly shown: number
  /** What is left out, in the singular. Default: clear from the list. */
  readonly noun?: string | undefined
}): JSX.Element | null {
  const rest = total - shown
  if (rest <= 0) return null
  const left = noun === undefined ? `${formatCount(rest)} more` : pluralize(rest, `more ${noun}`)
  return <p class="dim small">{`and ${left}`}</p>
}
