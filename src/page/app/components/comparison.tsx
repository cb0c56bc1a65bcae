import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ComparisonView, PromptDifference, SideNames } from '../../comparison-protocol.ts'
import type { ComparisonClass } from '../../protocol.ts'
import { hunksOf } from '../side-by-side.ts'
import type { ChoiceOptions } from './choice.tsx'
import { InlineDiff, SplitDiff } from './diff-lines.tsx'
import { Impact } from './impact.tsx'
import { RemoteText } from './pieces.tsx'

/** The layout of a diff. */
export type DiffLayout = 'split' | 'inline'

/** The layouts for a choice, the default first. */
export const INLINE_FIRST: ChoiceOptions<DiffLayout> = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Side by side' },
]

/** The same for wide windows. */
export const SPLIT_FIRST: ChoiceOptions<DiffLayout> = INLINE_FIRST.toReversed()

type Compared = ComparisonView & { readonly kind: 'compared' }

/** Two sides of a prompt, with their names. */
interface Sides {
  readonly difference: PromptDifference
  readonly names: SideNames
}

const SUMMARIES: Readonly<Record<ComparisonClass, string>> = {
  same: 'Both sides are the same.',
  added: 'Only one side has this prompt.',
  settings: 'The texts are the same. The settings differ.',
  text: 'The texts differ. The variables are the same: every call still compiles.',
  soft: 'A variable was removed: calls that still pass it compile, but it has no effect.',
  breaking: 'Variables were added or renamed: calls have to change with the update.',
}

/** The differences between two sides of a prompt. */
export function Comparison({
  comparison,
  layout,
}: {
  readonly comparison: Compared
  readonly layout: DiffLayout
}): JSX.Element {
  const { before, after, names } = comparison
  const missing = before === null ? names.before : after === null ? names.after : undefined
  return (
    <>
      <p class="summary flow">
        <span class={`badge ${comparison.class}`}>{comparison.class}</span>
        {missing === undefined ? SUMMARIES[comparison.class] : `${missing} has no such prompt.`}
      </p>
      {comparison.impact !== null && <Impact impact={comparison.impact} />}
      <Difference difference={comparison} names={names} layout={layout} />
    </>
  )
}

/** The settings, variables and texts that differ. */
export function Difference({
  difference,
  names,
  layout,
  owner,
}: Sides & {
  readonly layout: DiffLayout
  /** The prompt, if the page shows several. Default: there is only one. */
  readonly owner?: string
}): JSX.Element {
  const sides = { difference, names }
  const of = owner === undefined ? '' : ` of ${owner}`
  return (
    <>
      <Settings {...sides} />
      <TextDiff name="System" field="system" {...sides} layout={layout} of={of} />
      <TextDiff name="User" field="user" {...sides} layout={layout} of={of} />
    </>
  )
}

const SETTINGS = ['version', 'model', 'temperature', 'folder'] as const

function Settings({ difference, names }: Sides): JSX.Element | null {
  const { before, after, fields, variables } = difference
  const { added, removed, renamed } = variables
  const rows: { name: string; before: readonly string[]; after: readonly string[] }[] =
    SETTINGS.filter((field) => fields.includes(field)).map((name) => ({
      name,
      before: [String(before?.[name] ?? '')],
      after: [String(after?.[name] ?? '')],
    }))
  if (added.length + removed.length > 0)
    rows.push({ name: 'variables', before: removed, after: added })
  if (rows.length === 0) return null
  return (
    <table class="settings">
      <thead>
        <tr>
          <th scope="col">
            <span class="offscreen">Setting</span>
          </th>
          <th scope="col">{names.before}</th>
          <th scope="col">{names.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td class="removed">{values(row.name, row.before)}</td>
            <td class="added">{values(row.name, row.after)}</td>
          </tr>
        ))}
      </tbody>
      {renamed !== null && (
        <caption>
          <code>{renamed.from}</code> was probably renamed to <code>{renamed.to}</code>.
        </caption>
      )}
    </table>
  )
}

/** Names of variables are code. */
function values(name: string, texts: readonly string[]): JSX.Element {
  const Tag = name === 'variables' ? 'code' : 'span'
  return (
    <>
      {texts.map((text) => (
        <Tag key={text}>
          <RemoteText text={text} />
        </Tag>
      ))}
    </>
  )
}

function TextDiff({
  name,
  field,
  difference: { before, after },
  names,
  layout,
  of,
}: Sides & {
  readonly name: string
  readonly field: 'system' | 'user'
  readonly layout: DiffLayout
  /** Completes the name for screen readers. */
  readonly of: string
}): JSX.Element {
  const [old, now] = [before?.[field] ?? '', after?.[field] ?? '']
  const hunks = useMemo(() => hunksOf(old, now), [old, now])
  return (
    <section class="panel diff" aria-label={`${name} text${of} compared`}>
      <header>
        <h2>{name}</h2>
        {hunks.length === 0 && (
          <span class="size dim small">{old === '' ? 'none' : 'same on both sides'}</span>
        )}
      </header>
      {hunks.length > 0 &&
        (layout === 'split' ? (
          <SplitDiff hunks={hunks} names={names} label={name} />
        ) : (
          <InlineDiff hunks={hunks} label={name} />
        ))}
    </section>
  )
}
