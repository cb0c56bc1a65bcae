import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  BrokenPlace,
  ChangesQuery,
  ChangeView,
  SideNames,
} from '../../../comparison-protocol.ts'
import { plural } from '../../numbers.ts'
import { usePage } from '../../use-page.ts'
import { Command } from '../command.tsx'
import { Difference, type DiffLayout } from '../comparison.tsx'
import { PromptLink, RemoteText } from '../pieces.tsx'

/** One change: what it is, a command that takes it, and its diff. */
export function ChangeSection({
  change,
  names,
  query,
  layout,
  places,
  isOpen,
}: {
  readonly change: ChangeView
  readonly names: SideNames
  readonly query: ChangesQuery
  readonly layout: DiffLayout
  /** What it breaks; `undefined` if that is not known. */
  readonly places: readonly BrokenPlace[] | undefined
  /** Whether the diff is open at first. */
  readonly isOpen: boolean
}): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  const { slug } = change
  const isPinned = usePage().state.prompts.some((prompt) => prompt.slug === slug)
  return (
    <section class="change" aria-label={slug}>
      <header class="flow">
        <h2>{isPinned ? <PromptLink slug={slug} /> : <RemoteText text={slug} />}</h2>
        <span class={`badge ${change.class}`}>{change.class}</span>
        <span class="dim">{versionsOf(change)}</span>
        <span class="dim">{placesText(places)}</span>
        <ChangeCommand change={change} query={query} />
      </header>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{kindOf(change)}</summary>
        {open && <Difference difference={change} names={names} layout={layout} owner={slug} />}
      </details>
    </section>
  )
}

function ChangeCommand({
  change: { slug, before },
  query,
}: {
  readonly change: ChangeView
  readonly query: ChangesQuery
}): JSX.Element | null {
  if (query.kind === 'service') return <Command command="pull" values={[slug]} />
  if (query.kind !== 'revision' || before === null) return null
  return <Command command="restore --from" values={[query.revision, slug]} />
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
