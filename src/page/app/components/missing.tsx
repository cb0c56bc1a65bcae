import type { ComponentChildren, JSX } from 'preact'
import { useRouter } from '../use-route.ts'
import { RemoteCode } from './pieces.tsx'

/** The page of a prompt that the lock does not have. */
export function MissingPrompt({ slug }: { readonly slug: string }): JSX.Element {
  return (
    <Missing title="Not in the lock">
      The lock has no prompt called <RemoteCode text={slug} />. It may have been renamed, or this
      project may not pin it.
    </Missing>
  )
}

/** The page at an address that the page does not know. */
export function UnknownPage({ path }: { readonly path: string }): JSX.Element {
  return (
    <Missing title="Page not found">
      There is nothing at <RemoteCode text={`#/${path}`} />. The address may be incomplete, or
      written for another version.
    </Missing>
  )
}

function Missing({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  const { linkTo } = useRouter()
  return (
    <div class="page missing">
      <h1>{title}</h1>
      <p class="dim">{children}</p>
      <p>
        <a href={linkTo({ kind: 'overview' })}>All prompts</a>
      </p>
    </div>
  )
}
