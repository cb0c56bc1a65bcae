import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { pluralize } from '../../../../core/text/pluralize.ts'
import type { BrokenPlace, ChangeView, SideNames } from '../../../comparison-protocol.ts'
import { useChangesQuery } from '../../use-changes.ts'
import { usePage } from '../../use-page.ts'
import { Command } from '../command.tsx'
import { Difference } from '../comparison.tsx'
import { PromptLink, RemoteText } from '../pieces.tsx'

/** One change: what it is, a command that takes it, and its diff. */
export function ChangeSection({
  change,
  places,
  isOpen,
}: {
  readonly change: ChangeView & { readonly names: SideNames }
  /** What it breaks; `undefined` if that is not known. */
  readonly places: readonly BrokenPlace[] | undefined
  /** Whether the diff is open at first. */
  readonly isOpen: boolean
}): JSX.Element {
  const query = useChangesQuery()
  const [open, setOpen] = useState(isOpen)
  const { slug, before, after } = change
  const isPinned = usePage().state.prompts.some((prompt) => prompt.slug === slug)
  const kind = before === null ? 'New' : after === null ? 'Removed' : 'Changed'
  return (
    <section class="change" aria-label={slug}>
      <header class="flow">
        <h2>{isPinned ? <PromptLink slug={slug} /> : <RemoteText text={slug} />}</h2>
        <span class={`badge ${change.class}`}>{change.class}</span>
        <span class="dim">{versionsOf(change)}</span>
        <span class="dim">{placesText(places)}</span>
        {query.kind === 'service' && <Command command="pull" values={[slug]} />}
        {query.kind === 'revision' && before !== null && (
          <Command command="restore --from" values={[query.revision, slug]} />
        )}
      </header>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="dim small">{`${kind} prompt`}</summary>
        {open && <Difference compared={change} owner={slug} />}
      </details>
    </section>
  )
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
  return places.length === 0 ? 'breaks nothing' : `breaks ${pluralize(places.length, 'place')}`
}
