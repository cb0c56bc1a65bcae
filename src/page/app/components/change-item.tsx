import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ImpactFinding } from '../../../features/usage/impact.ts'
import { type Change, summaryOf } from '../changes.ts'
import { type Comparing, readChanges } from '../store.ts'
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
  const { slug, effect } = change
  const [isOpen, setOpen] = useState(effect.kind === 'breaks')
  const isOpenAtFirst = effect.kind === 'breaks' && !isViewed
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
          <Versions change={change} />
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
  const { slug, kind, effect, isRead } = change
  return (
    <div class="stack opened">
      <Findings findings={effect.kind === 'breaks' ? effect.findings : []} />
      {isRead ? (
        <Difference change={change} />
      ) : (
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => void readChanges(comparing, `slug:${slug}`)}
        >
          {isBusy ? 'Reading…' : 'Read the text · 1 read'}
        </button>
      )}
      {kind !== 'added' && (
        <p class="small">
          <PromptLink slug={slug} /> · <PromptLink slug={slug} view="try" />
        </p>
      )}
    </div>
  )
}

function Versions({ change: { versions } }: { readonly change: Change }): JSX.Element {
  const [before, after] = versions
  return (
    <span class="versions dim small cut">
      {before !== null && <RemoteText text={before} />}
      {before !== after && before !== null && ' → '}
      {after === null ? 'gone' : before !== after && <RemoteText text={after} />}
    </span>
  )
}

/** Red only for what is proven. */
function EffectText({ change: { effect } }: { readonly change: Change }): JSX.Element {
  if (effect.kind === 'breaks') {
    const [first, ...others] = effect.findings
    const more = others.length > 0 ? ` +${others.length}` : ''
    return <span class="effect bad cut">{`breaks ${first?.file}:${first?.line}${more}`}</span>
  }
  const text = effect.isUsed
    ? effect.kind === 'safe'
      ? 'breaks nothing'
      : 'not checked'
    : 'not used'
  return <span class="effect dim cut">{text}</span>
}

function Findings({
  findings,
}: {
  readonly findings: readonly ImpactFinding[]
}): JSX.Element | null {
  if (findings.length === 0) return null
  return (
    <ul class="findings" aria-label="Lines that break">
      {findings.map(({ file, line, column, reason }) => (
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
