import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { parseTemplate } from '../../../core/template.ts'
import { virtualModuleId } from '../../../core/workspace-name.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { type SampleKind, sampleOf, withExamples } from '../code-samples.ts'
import { type Entry, type PromptView, viewOf } from '../entries.ts'
import { type Filled, fillIn, livePrompt, requestOf, type Values } from '../live-prompt.ts'
import { type Options, settingOf } from '../navigation.ts'
import { sizeOf } from '../numbers.ts'
import { project } from '../store.ts'
import { useStored } from '../stored.ts'
import { Panel } from './boxes.tsx'
import { SettingChoice } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { TextDifference } from './difference.tsx'
import { Pieces, RemoteText } from './pieces.tsx'
import { VariableFields } from './variable-fields.tsx'

const FORMATS: Options<'messages' | 'code'> = [
  { value: 'messages', label: 'Messages' },
  { value: 'code', label: 'Code' },
]

const CLIENTS: Options<SampleKind> = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'aisdk', label: 'AI SDK' },
]

/** A version of a prompt to try. */
interface TriedVersion {
  readonly value: 'pinned' | 'incoming' | 'staging'
  readonly label: string
  readonly prompt: PromptView
}

/** A form for the variables, next to what a model would get of one version, or of all with the same values. */
export function TryView({ prompt, row }: Pick<Entry, 'prompt' | 'row'>): JSX.Element {
  const { slug } = prompt
  const [values, setValues] = useStored<Values>(slug, {})
  const format = settingOf('as', FORMATS)
  const client = settingOf('for', CLIENTS)
  const versions = useMemo(() => versionsOf({ prompt, row }), [prompt, row])
  const all = { value: 'both', label: versions.length > 2 ? 'All' : 'Both' } as const
  const choices: Options<string> = [...versions, all]
  const chosen = settingOf('version', choices)
  const kind = format === 'code' ? client : format
  const selected = versions.filter(({ value }) => chosen === 'both' || chosen === value)
  const names = [...new Set(selected.flatMap((version) => version.prompt.variables))]
  return (
    <div class="try">
      <VariableFields names={names} values={values} onChange={setValues} />
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

/** The pinned version, the one that waits if its texts are read, and the one of staging. */
function versionsOf({
  prompt,
  row,
}: Pick<Entry, 'prompt' | 'row'>): [TriedVersion, ...TriedVersion[]] {
  const { prompts } = project()
  const { staging } = prompt
  const versions: [TriedVersion, ...TriedVersion[]] = [
    { value: 'pinned', label: staging ? 'Live' : 'Pinned', prompt: viewOf(prompt, prompts) },
  ]
  if (row?.change?.kind === 'updated') {
    const { after } = row.change
    versions.push({ value: 'incoming', label: 'Incoming', prompt: viewOf(after, prompts) })
  }
  if (staging)
    versions.push({ value: 'staging', label: 'Staging', prompt: viewOf(staging, prompts) })
  return versions
}

/** The messages of each version after the first, with what differs from the first for the same values. */
function Compared({
  versions: [first, ...others],
  values,
}: {
  readonly versions: readonly [TriedVersion, ...TriedVersion[]]
  readonly values: Values
}): JSX.Element {
  const nameOf = ({ label, prompt }: TriedVersion): string => `${label} ${prompt.version}`
  const textOf = ({ prompt }: TriedVersion, role: 'system' | 'user'): string =>
    fillIn(parseTemplate(prompt[role]), values)
      .map(({ text }) => text)
      .join('')
  return (
    <>
      {others.map((other) => (
        <div key={other.value} class="stack">
          <p class="measure small dim">
            <RemoteText text={`${nameOf(first)} → ${nameOf(other)}`} />
          </p>
          {(['system', 'user'] as const).map((role) => {
            const texts = [textOf(first, role), textOf(other, role)] as const
            if (texts[0] !== texts[1]) {
              const { slug } = other.prompt
              return (
                <TextDifference key={role} title={`${role} message`} slug={slug} texts={texts} />
              )
            }
            return texts[1] === '' ? null : (
              <Output key={role} title={`${role} message, the same`} text={texts[1]}>
                <Pieces text={texts[1]} />
              </Output>
            )
          })}
        </div>
      ))}
    </>
  )
}

function Result({
  version: { label, prompt },
  values,
  kind,
}: {
  readonly version: TriedVersion
  readonly values: Values
  readonly kind: 'messages' | SampleKind
}): JSX.Element {
  const { workspace, environment } = project()
  const live = livePrompt(prompt)
  const isOther = prompt.environment === 'test' && environment === 'live'
  const module = `${virtualModuleId(workspace)}${isOther ? '/staging' : ''}`
  const missing = prompt.variables.filter((name) => !Object.hasOwn(values, name))
  const filled = withExamples(prompt.variables, values)
  const { system, user, messages } = live.render(filled)
  const request = kind === 'messages' ? undefined : requestOf(kind, live, filled)
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
      {kind === 'messages' ? (
        <Messages prompt={prompt} values={values} roles={messages.map(({ role }) => role)} />
      ) : (
        <Output title="Code" text={sampleOf(kind, { module, prompt, values: filled })} />
      )}
      {request !== undefined && (
        <Output title="What is sent" text={JSON.stringify(request, undefined, 2)} />
      )}
    </div>
  )
}

/** A text to copy, which may be drawn in pieces. */
function Output({
  title,
  name = title,
  text,
  children = text,
}: {
  readonly title: string
  readonly name?: string
  readonly text: string
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <Panel title={title} aside={<CopyButton text={text} label={name.toLowerCase()} />}>
      <pre class="content" role="group" tabIndex={0} aria-label={name}>
        {children}
      </pre>
    </Panel>
  )
}

/** The messages of a rendered prompt, with the inserted values highlighted. */
function Messages({
  prompt,
  values,
  roles,
}: {
  readonly prompt: PromptView
  readonly values: Values
  readonly roles: readonly ('system' | 'user')[]
}): JSX.Element {
  if (roles.length === 0) return <p class="dim">No messages: both texts are empty.</p>
  return (
    <>
      {roles.map((role) => {
        const pieces = fillIn(parseTemplate(prompt[role]), values)
        const text = pieces.map((piece) => piece.text).join('')
        return (
          <Output key={role} title={role} name={`${role} message`} text={text}>
            {pieces.map(filledOf)}
          </Output>
        )
      })}
    </>
  )
}

function filledOf({ kind, text }: Filled, key: number): JSX.Element {
  const pieces = <Pieces text={text} />
  if (kind === 'text') return pieces
  return (
    <mark key={key} class={kind === 'value' ? 'value' : 'missing-value'}>
      {pieces}
    </mark>
  )
}
