import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  BrokenPlace,
  ChangesQuery,
  ChangeView,
  PageState,
  SideNames,
} from '../../../protocol.ts'
import { plural } from '../../numbers.ts'
import { useRouter } from '../../use-route.ts'
import { Difference, type DiffLayout } from '../comparison.tsx'
import { RemoteText } from '../pieces.tsx'
import { Command } from '../command.tsx'

/** One change: what it is, a command that takes it, and its diff. */
export function ChangeSection({
  change,
  names,
  query,
  state,
  layout,
  places,
  isOpen,
}: {
  readonly change: ChangeView
  readonly names: SideNames
  readonly query: ChangesQuery
  readonly state: PageState
  readonly layout: DiffLayout
  /** What it breaks; `undefined` if that is not known. */
  readonly places: readonly BrokenPlace[] | undefined
  /** Whether the diff is open at first. */
  readonly isOpen: boolean
}): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  return (
    <section class="change" aria-label={change.slug}>
      <header>
        <h2>
          <Title change={change} isPinned={isPinned(change.slug, state)} />
        </h2>
        <span class={`badge ${change.class}`}>{change.class}</span>
        <span class="dim">{versionsOf(change)}</span>
        <span class="dim">{placesText(places)}</span>
        <ChangeCommand change={change} query={query} state={state} />
      </header>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{kindOf(change)}</summary>
        {open && (
          <Difference difference={change} names={names} layout={layout} owner={change.slug} />
        )}
      </details>
    </section>
  )
}

function Title({
  change: { slug },
  isPinned: hasPage,
}: {
  readonly change: ChangeView
  readonly isPinned: boolean
}): JSX.Element {
  const { linkTo } = useRouter()
  const text = <RemoteText text={slug} />
  return hasPage ? <a href={linkTo({ kind: 'prompt', slug, view: 'text' })}>{text}</a> : text
}

function isPinned(slug: string, { lock }: PageState): boolean {
  return lock.kind === 'read' && lock.prompts.some((prompt) => prompt.slug === slug)
}

function ChangeCommand({
  change: { slug, before },
  query,
  state,
}: {
  readonly change: ChangeView
  readonly query: ChangesQuery
  readonly state: PageState
}): JSX.Element | null {
  if (query.kind === 'service') return <Command context={state} command="pull" values={[slug]} />
  if (query.kind !== 'revision' || before === null) return null
  return <Command context={state} command="restore --from" values={[query.revision, slug]} />
}

function versionsOf({ before, after }: ChangeView): JSX.Element {
  const [old, now] = [before?.version, after?.version]
  if (old === undefined || now === undefined || old === now) {
    return <RemoteText text={now ?? old ?? ''} />
  }
  return (
    <>
      <RemoteText text={old} /> → <RemoteText text={now} />
    </>
  )
}

function placesText(places: readonly BrokenPlace[] | undefined): string {
  if (places === undefined) return 'impact not checked'
  return places.length === 0 ? 'breaks nothing' : `breaks ${plural(places.length, 'place')}`
}

function kindOf({ before, after }: ChangeView): string {
  if (before === null) return 'New prompt'
  return after === null ? 'Removed prompt' : 'Changed prompt'
}
