import type { ComponentChildren, JSX } from 'preact'
import { parseTemplate } from '../../../core/template.ts'
import { virtualModuleId } from '../../../core/workspace-name.ts'
import { countCharacters } from '../../../core/text/characters.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { type SampleKind, sampleOf } from '../code-samples.ts'
import type { PromptView } from '../entries.ts'
import { type Filled, fillIn, livePrompt, requestOf } from '../live-prompt.ts'
import { sizeOf } from '../numbers.ts'
import { useData } from '../store.ts'
import { useSetting } from '../use-route.ts'
import { useValues, type Values } from '../use-values.ts'
import { Panel } from './boxes.tsx'
import { SettingChoice } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { RemoteText, UnmarkedPieces } from './pieces.tsx'
import { VariableFields } from './variable-fields.tsx'

const FORMATS = [
  { value: 'messages', label: 'Messages' },
  { value: 'code', label: 'Code' },
  { value: 'test', label: 'Test' },
] as const

const CLIENTS = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'aisdk', label: 'AI SDK' },
] as const

/** A version of a prompt to try. */
export interface TriedVersion {
  readonly value: 'pinned' | 'incoming' | 'staging'
  readonly label: string
  readonly prompt: PromptView
}

/** A form for the variables, next to what a model would get of one version, or of all with the same values. */
export function TryView({
  slug,
  versions,
}: {
  readonly slug: string
  /** The pinned one first. */
  readonly versions: readonly TriedVersion[]
}): JSX.Element {
  const [values, setValues] = useValues(slug)
  const [format] = useSetting('as', FORMATS)
  const [client, setClient] = useSetting('for', CLIENTS)
  const all = { value: 'both', label: versions.length > 2 ? 'All' : 'Both' } as const
  const choices = [...versions, all]
  const [chosen] = useSetting('version', choices)
  const kind = format === 'code' ? client : format
  const shown = versions.filter(({ value }) => chosen === 'both' || chosen === value)
  const names = [...new Set(shown.flatMap(({ prompt }) => prompt.variables))]
  return (
    <div class="try">
      <VariableFields slug={slug} names={names} values={values} onChange={setValues} />
      <section class="stack" aria-label="Rendered prompt">
        <div class="toolbar flow">
          <SettingChoice name="as" label="What the result is shown as" options={FORMATS} />
          {format === 'code' && (
            <select
              class="input"
              aria-label="Client"
              value={client}
              onChange={({ currentTarget }) => setClient(currentTarget.value as typeof client)}
            >
              {CLIENTS.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
          {versions.length > 1 && (
            <SettingChoice name="version" label="Version" options={choices} />
          )}
        </div>
        <div class={shown.length > 1 ? 'versions-tried' : ''}>
          {shown.map((version) => (
            <Result key={version.value} version={version} values={values} kind={kind} />
          ))}
        </div>
      </section>
    </div>
  )
}

function Result({
  version: { value, label, prompt },
  values,
  kind,
}: {
  readonly version: TriedVersion
  readonly values: Values
  readonly kind: 'messages' | SampleKind
}): JSX.Element {
  const { workspace, environment } = useData()
  const isStaging = value === 'staging'
  const live = livePrompt(prompt, isStaging ? 'test' : environment)
  const module = `${virtualModuleId(workspace)}${isStaging ? '/staging' : ''}`
  const missing = prompt.variables.filter((name) => !Object.hasOwn(values, name))
  // A variable without a value is shown as its token. In an app it would be an error.
  const tokens = Object.fromEntries(missing.map((name) => [name, `{{ ${name} }}`]))
  const filled = { ...tokens, ...values }
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
        <Output
          title={kind === 'test' ? 'Test for Vitest' : 'Code'}
          text={sampleOf(kind, { module, prompt, values })}
        />
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
  const shown = <UnmarkedPieces text={text} />
  if (kind === 'text') return shown
  return (
    <mark key={key} class={kind === 'value' ? 'value' : 'missing-value'}>
      {shown}
    </mark>
  )
}
