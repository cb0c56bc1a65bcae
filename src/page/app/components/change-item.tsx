import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ChangePlace } from '../../../core/change-row.ts'
import { type Change, summaryOf, versionOf } from '../changes.ts'
import { formatCount } from '../../../core/text/pluralize.ts'
import { type Comparing, readChanges, useStore } from '../store.ts'
import { Command } from './command.tsx'
import { Difference } from './difference.tsx'
import { EditorLink } from './editor-link.tsx'
import { PromptLink, Reason, RemoteText } from './pieces.tsx'

/** One change in a line, which opens in place. `v` marks the focused one as viewed. */
export function ChangeItem({
  change,
  comparing,
  isBusy,
  isViewed,
  onView,
}: {
  readonly change: Change
  readonly comparing: Comparing
  /** Whether texts are being read. */
  readonly isBusy: boolean
  readonly isViewed: boolean
  readonly onView: () => void
}): JSX.Element {
  const { slug } = change
  const isBreaking = change.class === 'breaking'
  const [isOpen, setOpen] = useState(isBreaking)
  const isOpenAtFirst = isBreaking && !isViewed
  const view = (): void => {
    onView()
    setOpen(isViewed)
  }
  return (
    <li class={`change ${isViewed ? 'viewed' : ''}`}>
      <details
        open={isOpen || isOpenAtFirst}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary class="cluster" onKeyDown={(event) => event.key === 'v' && view()}>
          <span class="slug cut">
            <RemoteText text={slug} />
          </span>
          <span class="versions dim small cut">
            <RemoteText text={versionOf(change)} />
          </span>
          <span class="what cut small" title={summaryOf(change)}>
            <RemoteText text={summaryOf(change)} />
          </span>
          <EffectText change={change} />
        </summary>
        {(isOpen || isOpenAtFirst) && (
          <Opened change={change} comparing={comparing} isBusy={isBusy} />
        )}
      </details>
      <span class="actions cluster">
        <ChangeCommand change={change} comparing={comparing} />
        <label class="cluster small dim">
          <input type="checkbox" checked={isViewed} onChange={view} />
          Viewed<span class="offscreen">{` ${slug}`}</span>
        </label>
      </span>
    </li>
  )
}

/** The lines that break, and the diff once the text is read. */
function Opened({
  change,
  comparing,
  isBusy,
}: {
  readonly change: Change
  readonly comparing: Comparing
  readonly isBusy: boolean
}): JSX.Element {
  const { slug, kind, places } = change
  return (
    <div class="stack opened">
      <Places places={places} />
      {change.change === null ? (
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => void readChanges(comparing, `slug:${slug}`)}
        >
          {isBusy ? 'Reading…' : 'Read the text · 1 read'}
        </button>
      ) : (
        <Difference row={change} change={change.change} />
      )}
      {kind !== 'added' && (
        <p class="small">
          <PromptLink slug={slug} /> · <PromptLink slug={slug} view="try" />
        </p>
      )}
    </div>
  )
}

/** Red only for what is proven. */
function EffectText({ change }: { readonly change: Change }): JSX.Element {
  const { isUsed, isChecked, places } = change
  const [first, ...others] = places
  if (first !== undefined) {
    const isBreaking = change.class === 'breaking'
    const more = others.length > 0 ? ` +${others.length}` : ''
    const text = `${isBreaking ? 'breaks' : 'may break'} ${first.file}:${first.line}${more}`
    return <span class={`effect cut ${isBreaking ? 'bad' : ''}`}>{text}</span>
  }
  const text = isUsed ? (isChecked ? 'breaks nothing' : 'not checked') : 'not used'
  return <span class="effect dim cut">{text}</span>
}

/** The lines that a change breaks or may break, with the reason of each; nothing for none. */
export function Places({
  places,
}: {
  readonly places: readonly ChangePlace[]
}): JSX.Element | null {
  if (places.length === 0) return null
  return (
    <ul class="findings" aria-label="Lines that break or may break">
      {places.map(({ file, line, column, reason }) => (
        <li key={`${file}:${line}:${column}`} class="flow">
          <EditorLink file={file} line={line} />
          <span>
            <Reason text={reason} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * The code that does not compile with the lock as it is, such as after a pull that was written anyway.
 *
 * @param slug - of the prompt. Default: of all
 */
export function BrokenCode({ slug }: { readonly slug?: string }): JSX.Element | null {
  const { broken } = useStore()
  const places = broken.filter((place) => slug === undefined || place.slug === slug)
  if (places.length === 0) return null
  const does = places.length === 1 ? 'place does' : 'places do'
  return (
    <section class="strip stack bad-strip" aria-label="Broken code">
      <strong>{`${formatCount(places.length)} ${does} not compile with the lock`}</strong>
      <Places places={places} />
    </section>
  )
}

/** The narrowest command for a change. */
function ChangeCommand({
  change: { slug, kind },
  comparing: { side, base },
}: {
  readonly change: Change
  readonly comparing: Comparing
}): JSX.Element | null {
  if (side === 'service') return <Command command="pull" values={[slug]} />
  if (side === 'revision' && kind !== 'added')
    return <Command command="restore --from" values={[base, slug]} />
  return null
}
