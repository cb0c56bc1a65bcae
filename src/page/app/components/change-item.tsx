import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ChangePlace } from '../../../core/change-row.ts'
import { describePart, type PartId, partKey } from '../../../core/prompt.ts'
import { formatCount } from '../../../core/text/pluralize.ts'
import { type Change, summaryOf, versionOf } from '../changes.ts'
import { commandOfPart } from '../commands.ts'
import { compare, type Comparing, comparedWith, page } from '../store.ts'
import { Command } from './command.tsx'
import { Difference } from './difference.tsx'
import { EditorLink } from './editor-link.tsx'
import { PromptLink, Reason, RemoteText } from './pieces.tsx'

interface ChangeProps {
  readonly change: Change
  readonly comparing: Comparing
}

/** One change in a line, which opens in place. */
export function ChangeItem({ change, comparing }: ChangeProps): JSX.Element {
  // Until a person opens or closes it, what breaks is open.
  const [isOpened, setOpened] = useState<boolean>()
  const isOpen = isOpened ?? change.class === 'breaking'
  return (
    <li class="change">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary class="cluster">
          <span class="slug cut">
            <RemoteText text={describePart(change)} />
          </span>
          <span class="versions dim small cut">
            <RemoteText text={versionOf(change)} />
          </span>
          <span class="what cut small" title={summaryOf(change)}>
            <RemoteText text={summaryOf(change)} />
          </span>
          <Effect change={change} />
        </summary>
        {isOpen && <Opened change={change} comparing={comparing} />}
      </details>
      <span class="actions cluster">
        <ChangeCommand change={change} comparing={comparing} />
      </span>
    </li>
  )
}

/** What a change breaks, in a few words. Red only for what is proven. */
export function Effect({ change }: Pick<ChangeProps, 'change'>): JSX.Element {
  const { isUsed, isChecked, places } = change
  const [first, ...others] = places
  if (first !== undefined) {
    const isBreaking = change.class === 'breaking'
    const more = others.length > 0 ? ` +${others.length}` : ''
    const text = `${isBreaking ? 'breaks' : 'unproven:'} ${first.file}:${first.line}${more}`
    return <span class={`effect cut ${isBreaking ? 'bad' : ''}`}>{text}</span>
  }
  const text = isUsed ? (isChecked ? 'breaks nothing' : 'not checked') : 'not used'
  return <span class="effect dim cut">{text}</span>
}

/** The lines that break, and the diff once the text is read. */
function Opened({ change, comparing }: ChangeProps): JSX.Element {
  const { slug, kind, places } = change
  return (
    <div class="stack opened">
      <Places places={places} />
      {change.change === null ? (
        <ReadButton part={change} comparing={comparing} />
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

/** Reads the text of one part. */
export function ReadButton({
  part,
  comparing,
}: {
  readonly part: PartId
  readonly comparing: Comparing
}): JSX.Element {
  const read = `part:${partKey(part)}` as const
  const isReading = comparedWith(comparing).doing === read
  return (
    <button
      type="button"
      class="button"
      disabled={isReading}
      onClick={() => void compare(comparing, read)}
    >
      {isReading ? 'Reading…' : 'Read the text · 1 read'}
    </button>
  )
}

/** The lines that a change breaks, and the unproven ones, with the reason of each; nothing for none. */
export function Places({
  places,
}: {
  readonly places: readonly ChangePlace[]
}): JSX.Element | null {
  if (places.length === 0) return null
  return (
    <ul class="findings" aria-label="Lines that break or are unproven">
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
  const places = page().broken.filter((place) => slug === undefined || place.slug === slug)
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
  change: { slug, environment, change },
  comparing: { side, base },
}: ChangeProps): JSX.Element | null {
  if (side === 'service') return <Command command="pull" values={[slug]} />
  if (change?.before?.environment !== environment) return null
  const command = commandOfPart('restore', environment)
  return <Command command={`${command} --from`} values={[base, slug]} />
}
