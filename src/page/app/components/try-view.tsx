import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { promptVariables } from '../../../core/compare.ts'
import type { PinnedPrompt } from '../../../core/prompt.ts'
import { virtualModuleId } from '../../../core/workspace-name.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import type { ListedPrompt, PageRow } from '../../protocol.ts'
import { requestOf, type SampleKind, sampleOf, withExamples } from '../code-samples.ts'
import { accessTo } from '../derived.ts'
import { type Filled, fillIn, livePrompt, type Values, valueOf } from '../live-prompt.ts'
import { type Options, settingOf } from '../navigation.ts'
import { sizeOf } from '../numbers.ts'
import { keepStored, project, readStored } from '../store.ts'
import { Panel } from './boxes.tsx'
import { SettingChoice } from './choice.tsx'
import { CopyButton } from './copy.tsx'
import { TextDifference } from './texts.tsx'
import { Pieces, RemoteText } from './pieces.tsx'

const FORMATS: Options<'messages' | 'code'> = [
  { value: 'messages', label: 'Messages' },
  { value: 'code', label: 'Code' },
]

const CLIENTS: Options<SampleKind> = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'aisdk', label: 'AI SDK' },
]

interface TryProps {
  readonly prompt: ListedPrompt
  /** The change that waits, of the live part if there is one. */
  readonly row: PageRow | undefined
}

/** A form for the variables, next to what a model would get of one version, or of all. */
export function TryView({ prompt, row }: TryProps): JSX.Element {
  const key = `values ${prompt.slug}`
  const [values, setValues] = useState<Values>(() => readStored(key) ?? {})
  const onChange = (next: Values): void => {
    setValues(next)
    keepStored(key, next)
  }
  const format = settingOf('as', FORMATS)
  const client = settingOf('for', CLIENTS)
  const versions = versionsOf({ prompt, row })
  const all = { value: 'both', label: versions.length > 2 ? 'All' : 'Both' } as const
  const choices: Options<string> = [...versions, all]
  const chosen = settingOf('version', choices)
  const kind = format === 'code' ? client : format
  const selected = versions.filter(({ value }) => chosen === 'both' || chosen === value)
  return (
    <div class="try">
      <VariableFields versions={selected} values={values} onChange={onChange} />
      <section class="stack" aria-label="Rendered prompt">
        <div class="flow">
          <SettingChoice name="as" label="What the result is shown as" options={FORMATS} />
          {format === 'code' && <SettingChoice name="for" label="Client" options={CLIENTS} />}
          {versions.length > 1 && (
            <SettingChoice name="version" label="Version" options={choices} />
          )}
        </div>
        {chosen === 'both' && format === 'messages' ? (
          <Compared versions={versions} values={values} />
        ) : (
          <div class={selected.length > 1 ? 'versions-tried' : ''}>
            {selected.map((version) => (
              <Result key={version.value} version={version} values={values} kind={kind} />
            ))}
          </div>
        )}
      </section>
    </div>
  )
}

/** A version of a prompt to try. */
interface TriedVersion {
  readonly value: 'pinned' | 'incoming' | 'staging'
  readonly label: string
  readonly prompt: PinnedPrompt
}

/** The pinned version, the one that waits if its texts are read, and the one of staging. */
function versionsOf({ prompt, row }: TryProps): [TriedVersion, ...TriedVersion[]] {
  const { staging } = prompt
  const incoming = row?.change?.kind === 'updated' ? row.change.after : undefined
  return [
    { value: 'pinned', label: staging ? 'Live' : 'Pinned', prompt },
    ...(incoming ? [{ value: 'incoming', label: 'Incoming', prompt: incoming } as const] : []),
    ...(staging ? [{ value: 'staging', label: 'Staging', prompt: staging } as const] : []),
  ]
}

interface FieldsProps {
  readonly versions: readonly TriedVersion[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

/** A field for each variable. */
function VariableFields({ versions, values, onChange }: FieldsProps): JSX.Element {
  const id = useId()
  const names = new Set(versions.flatMap(({ prompt }) => promptVariables(prompt)))
  return (
    <section class="stack" aria-label="Variables">
      <header class="between">
        <h2>Variables</h2>
        <button
          type="button"
          class="button"
          disabled={Object.keys(values).length === 0}
          onClick={() => onChange({})}
        >
          Clear
        </button>
      </header>
      {[...names].map((name, index) => (
        <div key={name} class="field">
          <label for={`${id}-${index}`}>
            <RemoteText text={name} />
          </label>
          <textarea
            id={`${id}-${index}`}
            class="input"
            rows={1}
            spellcheck={false}
            value={valueOf(values, name) ?? ''}
            placeholder="No value"
            onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        </div>
      ))}
      <p class="dim small">
        {names.size === 0 ? 'This prompt has none.' : 'Values stay in this browser.'}
      </p>
    </section>
  )
}

interface ComparedProps {
  readonly versions: readonly [TriedVersion, ...TriedVersion[]]
  readonly values: Values
}

/** The messages of each version after the first, with what differs from the first for the same values. */
function Compared({ versions: [first, ...others], values }: ComparedProps): JSX.Element {
  const nameOf = ({ label, prompt }: TriedVersion): string => `${label} ${prompt.version}`
  const textOf = ({ prompt }: TriedVersion, role: 'system' | 'user'): string =>
    textIn(fillIn(prompt[role], values))
  return (
    <>
      {others.map((other) => (
        <div key={other.value} class="stack">
          <p class="measure small dim">
            <RemoteText text={`${nameOf(first)} → ${nameOf(other)}`} />
          </p>
          {(['system', 'user'] as const).map((role) => {
            const texts = [textOf(first, role), textOf(other, role)] as const
            const [before, after] = texts
            const title = `${role} message`
            if (before !== after)
              return (
                <TextDifference key={role} title={title} slug={first.prompt.slug} texts={texts} />
              )
            return after === '' ? null : (
              <Output key={role} title={`${title}, the same`} text={after}>
                <Pieces text={after} />
              </Output>
            )
          })}
        </div>
      ))}
    </>
  )
}

interface ResultProps {
  readonly version: TriedVersion
  readonly values: Values
  readonly kind: 'messages' | SampleKind
}

/** What a version is rendered to: its messages, or code for a client with what that sends. */
function Result({ version: { label, prompt }, values, kind }: ResultProps): JSX.Element {
  const live = livePrompt(prompt)
  const missing = live.variables.filter((name) => valueOf(values, name) === undefined)
  const filled = withExamples(live.variables, values)
  const { system, user, messages } = live.render(filled)
  return (
    <div class="stack">
      <p class="measure flow small dim">
        <RemoteText text={`${label} ${prompt.version}`} />
        <span>{sizeOf(countCharacters(system) + countCharacters(user))}</span>
        {missing.length > 0 && (
          <span class="missing-values">
            {`${pluralize(missing.length, 'variable')} ${missing.length === 1 ? 'has' : 'have'} no value`}
          </span>
        )}
      </p>
      {kind !== 'messages' ? (
        <>
          <Output title="Code" text={codeOf(kind, prompt, filled)} />
          <Output
            title="What is sent"
            text={JSON.stringify(requestOf(kind, live, filled), undefined, 2)}
          />
        </>
      ) : messages.length === 0 ? (
        <p class="dim">No messages: both texts are empty.</p>
      ) : (
        messages.map(({ role }) => {
          const pieces = fillIn(prompt[role], values)
          return (
            <Output key={role} title={role} name={`${role} message`} text={textIn(pieces)}>
              {pieces.map(pieceOf)}
            </Output>
          )
        })
      )}
    </div>
  )
}

function codeOf(
  kind: SampleKind,
  { slug, user, environment }: PinnedPrompt,
  values: Values,
): string {
  const { workspace, environment: served } = project()
  const isOther = environment === 'test' && served === 'live'
  const module = `${virtualModuleId(workspace)}${isOther ? '/staging' : ''}`
  return sampleOf(kind, { module, access: accessTo(slug), user, values })
}

interface OutputProps {
  readonly title: string
  readonly name?: string
  readonly text: string
  readonly children?: ComponentChildren
}

/** A text to copy, which may be drawn in pieces. */
function Output({ title, name = title, text, children = text }: OutputProps): JSX.Element {
  return (
    <Panel title={title} aside={<CopyButton text={text} label={name.toLowerCase()} />}>
      <pre class="content" role="group" tabIndex={0} aria-label={name}>
        {children}
      </pre>
    </Panel>
  )
}

function textIn(pieces: readonly Filled[]): string {
  return pieces.map(({ text }) => text).join('')
}

/** A piece of a message, with inserted values highlighted. */
function pieceOf({ kind, text }: Filled, key: number): JSX.Element {
  const pieces = <Pieces text={text} />
  if (kind === 'text') return pieces
  return (
    <mark key={key} class={kind === 'value' ? 'value' : 'missing-value'}>
      {pieces}
    </mark>
  )
}
