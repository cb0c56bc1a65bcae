import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { diffTexts } from '../../../features/diff/text-diff.ts'
import type { ComparisonView, PromptDifference, SideNames } from '../../comparison-protocol.ts'
import type { ComparisonClass } from '../../protocol.ts'
import { useRouter, useSetting } from '../use-route.ts'
import { usePage } from '../use-page.ts'
import { Panel } from './boxes.tsx'
import { SettingChoice } from './choice.tsx'
import { DiffLines } from './diff-lines.tsx'
import { Impact } from './impact.tsx'
import { RemoteText } from './pieces.tsx'
import { TEXT_NAMES } from './text-panel.tsx'

const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Side by side' },
] as const

/** The layouts of diffs, the default first: two columns need one prompt and a wide window. */
function useLayouts(): readonly (typeof LAYOUTS)[number][] {
  const { kind } = useRouter().route.place
  const isWide = useMemo(() => matchMedia('(min-width: 900px)').matches, [])
  return kind === 'prompt' && isWide ? LAYOUTS.toReversed() : LAYOUTS
}

/** The choice between the layouts of diffs. */
export function LayoutChoice(): JSX.Element {
  return <SettingChoice name="layout" label="How changes are shown" options={useLayouts()} />
}

/** What a comparison with staging needs. */
export function MissingKey({ compared }: { readonly compared: string }): JSX.Element | null {
  const { missingKey } = usePage().state
  if (missingKey === null) return null
  return (
    <p class="dim small">
      {`To compare ${compared}, set `}
      <code>{missingKey}</code> to the key of the other environment.
    </p>
  )
}

/** Two sides of a prompt, with their names. */
interface Compared extends PromptDifference {
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

/** The differences between two sides of a prompt, and what they break. */
export function Comparison({
  comparison,
}: {
  readonly comparison: ComparisonView & { readonly kind: 'compared' }
}): JSX.Element {
  const { before, after, names, impact } = comparison
  const missing = before === null ? names.before : after === null ? names.after : undefined
  return (
    <>
      <p class="summary flow">
        <span class={`badge ${comparison.class}`}>{comparison.class}</span>
        {missing === undefined ? SUMMARIES[comparison.class] : `${missing} has no such prompt.`}
      </p>
      {impact !== null && <Impact impact={impact} />}
      <Difference compared={comparison} />
    </>
  )
}

/** The settings, variables and texts that differ. */
export function Difference({
  compared,
  owner,
}: {
  readonly compared: Compared
  /** The prompt, if the page shows several. Default: there is only one. */
  readonly owner?: string
}): JSX.Element {
  const of = owner === undefined ? '' : ` of ${owner}`
  return (
    <>
      <Settings compared={compared} />
      <TextDiff field="system" compared={compared} of={of} />
      <TextDiff field="user" compared={compared} of={of} />
    </>
  )
}

const SETTINGS = ['version', 'model', 'temperature', 'folder'] as const

function Settings({ compared }: { readonly compared: Compared }): JSX.Element | null {
  const { before, after, names, fields, variables } = compared
  const { added, removed, renamed } = variables
  const rows = SETTINGS.filter((field) => fields.includes(field)).map((name) => ({
    name: name as string,
    removed: [before?.[name] ?? ''],
    added: [after?.[name] ?? ''],
  }))
  if (added.length + removed.length > 0)
    rows.push({ name: 'variables', removed: [...removed], added: [...added] })
  if (rows.length === 0) return null
  return (
    <table class="changed-fields">
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
            <td class="removed">{row.removed.map(valueOf(row.name))}</td>
            <td class="added">{row.added.map(valueOf(row.name))}</td>
          </tr>
        ))}
      </tbody>
      {renamed !== null && (
        <caption class="dim">
          <code>{renamed.from}</code> was probably renamed to <code>{renamed.to}</code>.
        </caption>
      )}
    </table>
  )
}

/** Names of variables are code. */
function valueOf(setting: string): (value: string | number) => JSX.Element {
  const Tag = setting === 'variables' ? 'code' : 'span'
  return (value) => (
    <Tag key={value}>
      <RemoteText text={String(value)} />
    </Tag>
  )
}

function TextDiff({
  field,
  compared: { before, after, names },
  of,
}: {
  readonly field: 'system' | 'user'
  readonly compared: Compared
  /** Completes the name for screen readers. */
  readonly of: string
}): JSX.Element {
  const name = TEXT_NAMES[field]
  const [layout] = useSetting('layout', useLayouts())
  const [old, now] = [before?.[field] ?? '', after?.[field] ?? '']
  const hunks = useMemo(() => diffTexts(old, now), [old, now])
  const same = old === '' ? 'none' : 'same on both sides'
  return (
    <Panel
      title={name}
      class="panel diff"
      aria-label={`${name} text${of} compared`}
      aside={hunks.length === 0 && <span class="grow dim small">{same}</span>}
    >
      {hunks.length > 0 && (
        <DiffLines hunks={hunks} label={name} sides={layout === 'split' ? names : undefined} />
      )}
    </Panel>
  )
}
