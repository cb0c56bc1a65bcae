import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CodeLine } from '../../../core/impact.ts'
import { describePart, type PartId, partKey } from '../../../core/prompt.ts'
import { formatCount } from '../../../core/text/pluralize.ts'
import { type Change, summaryOf, versionOf } from '../changes.ts'
import { linkTo } from '../navigation.ts'
import { compare, page } from '../store.ts'
import { Command } from './copy.tsx'
import { Decisions } from './decisions.tsx'
import { Difference } from './texts.tsx'
import { EditorLink } from './editor-link.tsx'
import { Pieces, Reason, RemoteText } from './pieces.tsx'

/** One change in a line, which opens in place. */
export function ChangeItem({ change }: { readonly change: Change }): JSX.Element {
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
        {isOpen && <Opened change={change} />}
      </details>
      <Decisions of={change} />
    </li>
  )
}

/** What a change breaks, in a few words. Red only for what is proven. */
export function Effect({ change }: { readonly change: Change }): JSX.Element {
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
function Opened({ change }: { readonly change: Change }): JSX.Element {
  const { slug, kind, places } = change
  return (
    <div class="stack opened">
      <div class="sides">
        <div class="stack">
          {change.change === null ? <ReadButton part={change} /> : <Difference row={change} />}
        </div>
        <Places places={places} />
      </div>
      <div class="small flow">
        {kind !== 'added' && (
          <>
            <a href={linkTo({ kind: 'prompt', slug, view: 'text' })}>
              <RemoteText text={slug} />
            </a>
            <a href={linkTo({ kind: 'prompt', slug, view: 'try' })}>Try it</a>
          </>
        )}
        <details>
          <summary>Command</summary>
          <Command
            command={change.class === 'breaking' ? 'pull --fix' : 'pull --skip-breaking'}
            values={[slug]}
          />
        </details>
      </div>
    </div>
  )
}

/** Reads the text of one part. */
export function ReadButton({ part }: { readonly part: PartId }): JSX.Element {
  const read = `part:${partKey(part)}` as const
  const isReading = page().doing === read
  return (
    <button type="button" class="button" disabled={isReading} onClick={() => void compare(read)}>
      {isReading ? 'Reading…' : 'Read the text · 1 read'}
    </button>
  )
}

/** The lines that a change breaks, and the unproven ones, with the reason of each; nothing for none. */
export function Places({ places }: Pick<Change, 'places'>): JSX.Element | null {
  if (places.length === 0) return null
  return (
    <ul class="findings" aria-label="Lines that break or are unproven">
      {places.map(({ file, line, column, code, reason }) => (
        <li key={`${file}:${line}:${column}`} class="stack">
          <p class="flow">
            <EditorLink file={file} line={line} />
            <span>
              <Reason text={reason} />
            </span>
          </p>
          {code && <Code line={code} />}
        </li>
      ))}
    </ul>
  )
}

/** A line of code with the expression marked. */
function Code({ line: { text, start, length } }: { readonly line: CodeLine }): JSX.Element {
  const end = start + length
  return (
    <pre class="code" role="group" tabIndex={0} aria-label="The line of code">
      <Pieces text={text.slice(0, start)} />
      <mark>
        <Pieces text={text.slice(start, end)} />
      </mark>
      <Pieces text={text.slice(end)} />
    </pre>
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
