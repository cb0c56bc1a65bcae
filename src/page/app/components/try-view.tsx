import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { countPromptCharacters } from '../../../core/text/characters.ts'
import { pluralize } from '../../../core/text/pluralize.ts'
import { parseTemplate } from '../../../core/template.ts'
import type { PromptView } from '../../protocol.ts'
import { type SampleKind, sampleOf } from '../code-samples.ts'
import { type Filled, fillIn, livePrompt, requestOf } from '../live-prompt.ts'
import { ESTIMATE, sizeOf } from '../numbers.ts'
import { usePage } from '../use-page.ts'
import { useSetting } from '../use-route.ts'
import { useValues } from '../use-values.ts'
import { Panel } from './boxes.tsx'
import { type ChoiceOptions, SettingChoice } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { UnmarkedPieces } from './pieces.tsx'
import { VariableFields } from './variable-fields.tsx'

/** The format in which the result is shown and copied. */
type OutputFormat = 'messages' | 'text' | 'json' | SampleKind

const OUTPUT_FORMATS: ChoiceOptions<OutputFormat> = [
  { value: 'messages', label: 'Messages' },
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'aisdk', label: 'AI SDK' },
  { value: 'test', label: 'Vitest' },
]

/** A form for the variables, next to the messages that a model would get. */
export function TryView({ prompt }: { readonly prompt: PromptView }): JSX.Element {
  const { workspace, environment } = usePage().state
  const [values, setValues] = useValues(prompt.slug)
  const [format] = useSetting('as', OUTPUT_FORMATS)
  const live = useMemo(() => livePrompt(prompt, environment), [prompt, environment])
  const missing = prompt.variables.filter((name) => !Object.hasOwn(values, name))
  // A variable without a value is shown as its token. In an app it would be an error.
  const tokens = Object.fromEntries(missing.map((name) => [name, `{{ ${name} }}`]))
  const shown = { ...tokens, ...values }
  const { system, user, text, messages } = live.render(shown)
  const isSample = format !== 'messages' && format !== 'text' && format !== 'json'
  const request = isSample ? requestOf(format, live, shown) : undefined
  const output = isSample
    ? sampleOf(format, { workspace, prompt, values })
    : format === 'text'
      ? text
      : JSON.stringify(messages, undefined, 2)
  const roles = messages.map(({ role }) => role)
  return (
    <div class="try">
      <VariableFields prompt={prompt} values={values} onChange={setValues} />
      <section class="result" aria-label="Rendered prompt">
        <div class="toolbar flow">
          <SettingChoice name="as" label="What the result is shown as" options={OUTPUT_FORMATS} />
          <CopyButton text={output} label={`as ${nameOf(format)}`} />
        </div>
        <p class="measure dim small flow">
          <span title={`An estimate: ${ESTIMATE}`}>
            {`${sizeOf(countPromptCharacters({ system, user }))} (${ESTIMATE})`}
          </span>
          {missing.length > 0 && (
            <span class="missing-values">
              {`${pluralize(missing.length, 'variable')} ${missing.length === 1 ? 'has' : 'have'} no value`}
            </span>
          )}
        </p>
        {format === 'messages' ? (
          <Messages prompt={prompt} values={values} roles={roles} />
        ) : (
          <pre class="output" role="group" tabIndex={0} aria-label={`As ${nameOf(format)}`}>
            {output}
          </pre>
        )}
        {request !== undefined && (
          <Panel title="What is sent" class="panel sent">
            <pre class="content" role="group" tabIndex={0} aria-label="What is sent">
              {JSON.stringify(request, undefined, 2)}
            </pre>
          </Panel>
        )}
      </section>
    </div>
  )
}

function nameOf(format: OutputFormat): string {
  if (format === 'json' || format === 'messages') return 'messages JSON'
  const label = OUTPUT_FORMATS.find(({ value }) => value === format)?.label ?? ''
  return format === 'text' ? label : `${label} code`
}

/** The messages of a rendered prompt, with the inserted values highlighted. */
function Messages({
  prompt,
  values,
  roles,
}: {
  readonly prompt: PromptView
  readonly values: Readonly<Record<string, string>>
  readonly roles: readonly ('system' | 'user')[]
}): JSX.Element {
  if (roles.length === 0) return <p class="dim none">No messages: both texts are empty.</p>
  return (
    <>
      {roles.map((role) => (
        <Panel key={role} title={role} class="panel message" aria-label={`${role} message`}>
          <pre
            class="content"
            role="group"
            tabIndex={0}
            aria-label={`${role} message`}
            data-role={role}
          >
            {fillIn(parseTemplate(prompt[role]), values).map(filledOf)}
          </pre>
        </Panel>
      ))}
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
