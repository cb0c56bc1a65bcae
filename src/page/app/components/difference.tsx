import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { changedParts } from '../../../core/classify-change.ts'
import { changeSides } from '../../../core/compare.ts'
import { diffTexts } from '../../../features/diff/text-diff.ts'
import type { ChangeRow } from '../../protocol.ts'
import { useSetting } from '../use-route.ts'
import { Panel } from './boxes.tsx'
import { DiffLines } from './diff-lines.tsx'
import { RemoteText } from './pieces.tsx'
import { TEXT_NAMES } from './text-panel.tsx'

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
