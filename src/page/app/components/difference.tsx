import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { changedParts } from '../../../core/classify-change.ts'
import { changeSides } from '../../../core/compare.ts'
import { diffTexts, type DiffLine } from '../../../features/diff/text-diff.ts'
import type { ChangeRow } from '../../protocol.ts'
import { useSetting } from '../use-route.ts'
import { Panel } from './boxes.tsx'
import { RemoteText, Pieces } from './pieces.tsx'
import { TEXT_NAMES } from './text-panel.tsx'
import { annotate } from '../annotate.ts'

/** The layouts of diffs. */
export const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Side by side' },
] as const

const SETTINGS = ['version', 'model', 'temperature', 'folder'] as const

/** The settings, variables and texts that differ: the only diff of the page. */
export function Difference({ change: row }: { readonly change: ChangeRow }): JSX.Element {
  const { change, slug } = row
  if (change === null) return <p class="dim">The texts and settings are the same.</p>
  const { before, after } = changeSides(change.change)
  const { fields, variables } = changedParts(change.change)
  const settings = SETTINGS.filter((field) => fields.includes(field))
  return (
    <>
      {(settings.length > 0 || variables.added.length + variables.removed.length > 0) && (
        <ul class="settings flow small" aria-label="Settings and variables">
          {variables.removed.map((name) => signed('removed', '−', name))}
          {variables.added.map((name) => signed('added', '+', name))}
          {settings.map((field) => (
            <li key={field}>
              <span class="dim">{`${field} `}</span>
              <RemoteText text={String(before?.[field])} />
              {' → '}
              <RemoteText text={String(after?.[field])} />
            </li>
          ))}
          {variables.renamed !== null && (
            <li class="dim">
              Probably renamed: <code>{variables.renamed.from}</code> to{' '}
              <code>{variables.renamed.to}</code>
            </li>
          )}
        </ul>
      )}
      <TextDiff slug={slug} field="system" sides={[before?.system ?? '', after?.system ?? '']} />
      <TextDiff slug={slug} field="user" sides={[before?.user ?? '', after?.user ?? '']} />
    </>
  )
}

function signed(kind: 'added' | 'removed', sign: string, name: string): JSX.Element {
  return (
    <li key={sign + name} class={`signed ${kind}`}>
      <code>
        {`${sign} `}
        <RemoteText text={name} />
      </code>
      <span class="offscreen">{`, variable ${kind}`}</span>
    </li>
  )
}

/** Nothing for a text that is the same on both sides. */
function TextDiff({
  slug,
  field,
  sides: [old, now],
}: {
  readonly slug: string
  readonly field: 'system' | 'user'
  readonly sides: readonly [before: string, after: string]
}): JSX.Element | null {
  const name = TEXT_NAMES[field]
  const [layout] = useSetting('layout', LAYOUTS)
  const hunks = useMemo(() => diffTexts(old, now), [old, now])
  if (hunks.length === 0) return null
  return (
    <Panel title={name} class="panel diff" aria-label={`${name} text of ${slug} compared`}>
      <DiffLines hunks={hunks} label={`${name} of ${slug}`} isSplit={layout === 'split'} />
    </Panel>
  )
}

/** A diff in one column, or in two. */
function DiffLines({
  hunks,
  label,
  isSplit,
}: {
  readonly hunks: readonly (readonly DiffLine[])[]
  /** What is compared. */
  readonly label: string
  readonly isSplit: boolean
}): JSX.Element {
  return (
    <div
      class={`diff-scroller ${isSplit ? 'split' : ''}`}
      role="group"
      tabIndex={0}
      aria-label={`${label}, ${isSplit ? 'side by side' : 'inline'}`}
    >
      {hunks.map((lines, index) => (
        <div key={index} class="hunk">
          {isSplit ? pairsOf(lines) : lines.map(rowIn(lines))}
        </div>
      ))}
    </div>
  )
}

type DrawRow = (line: DiffLine | undefined, key: number) => JSX.Element

/** Draws the lines of a hunk; those with their line end of which some differ only in that. */
function rowIn(lines: readonly DiffLine[]): DrawRow {
  const ends = lines.some(({ lacksLineEnd }) => lacksLineEnd)
  return (line, key) =>
    line === undefined ? (
      <div key={key} class="diff-line empty" />
    ) : (
      <DiffLineRow key={key} line={line} ends={ends} />
    )
}

/** The lines of a hunk in two columns, with removed lines next to added ones. */
function pairsOf(lines: readonly DiffLine[]): JSX.Element[] {
  const pairs: [before: DiffLine | undefined, after: DiffLine | undefined][] = []
  // The next line to have an added one next to it.
  let next = 0
  for (const line of lines) {
    const pair = pairs[next]
    if (line.kind === 'removed') pairs.push([line, undefined])
    else if (line.kind === 'same') next = pairs.push([line, line])
    else {
      if (pair === undefined) pairs.push([undefined, line])
      else pair[1] = line
      next++
    }
  }
  const row = rowIn(lines)
  return pairs.map((pair, index) => (
    <div key={index} class="pair">
      {pair.map(row)}
    </div>
  ))
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const SPOKEN = { same: '', removed: 'removed: ', added: 'added: ' } as const

function DiffLineRow({
  line: { kind, number, segments, lacksLineEnd },
  ends,
}: {
  readonly line: DiffLine
  /** Whether to show the line end of a changed line. */
  readonly ends: boolean
}): JSX.Element {
  return (
    <div class={`diff-line ${kind}`}>
      <span class="number" aria-hidden="true">
        {number}
      </span>
      <span class="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span class="offscreen">{SPOKEN[kind]}</span>
      <span class="content">
        {segments.map(({ text, changed }, index) => {
          const pieces = <Pieces key={index} pieces={annotate(text)} />
          return changed ? <mark key={index}>{pieces}</mark> : pieces
        })}
        {ends && kind !== 'same' && (
          <span class="hidden-character">{lacksLineEnd ? 'no line end' : String.raw`\n`}</span>
        )}
      </span>
    </div>
  )
}
