import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { PromptView } from '../../protocol.ts'
import { type SampleKind, sampleOf, type SampleSubject } from '../code-samples.ts'
import { livePrompt, requestOf } from '../live-prompt.ts'
import { usePage } from '../use-page.ts'
import { useSetting } from '../use-route.ts'
import { charactersIn, count, ESTIMATE, estimateTokens, plural } from '../numbers.ts'
import { type ChoiceOptions, SettingChoice } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { RenderedMessages } from './rendered-messages.tsx'
import { useValues } from './use-values.ts'
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
  const { values, set, replace } = useValues(prompt.slug)
  const [form] = useSetting('as', OUTPUT_FORMATS)
  const live = useMemo(() => livePrompt(prompt, environment), [prompt, environment])
  const missing = prompt.variables.filter((name) => !Object.hasOwn(values, name))
  const shown = Object.fromEntries([...tokensFor(missing), ...Object.entries(values)])
  const rendered = live.render(shown)
  const request = isSample(form) ? requestOf(form, live, shown) : undefined
  const output = outputOf(form, rendered, { workspace, prompt, values })
  const characters = charactersIn(rendered.system) + charactersIn(rendered.user)
  return (
    <div class="try">
      <VariableFields prompt={prompt} values={values} set={set} replace={replace} />
      <section class="result" aria-label="Rendered prompt">
        <div class="toolbar flow">
          <SettingChoice name="as" label="What the result is shown as" options={OUTPUT_FORMATS} />
          <CopyButton text={() => output} label={`as ${nameOf(form)}`} />
        </div>
        <p class="measure dim small flow">
          <span title={`An estimate: ${ESTIMATE}`}>
            {`${count(characters)} characters · ≈ ${count(estimateTokens(characters))} tokens (${ESTIMATE})`}
          </span>
          {missing.length > 0 && (
            <span class="missing-values">
              {`${plural(missing.length, 'variable')} ${missing.length === 1 ? 'has' : 'have'} no value`}
            </span>
          )}
        </p>
        {form === 'messages' ? (
          <RenderedMessages prompt={prompt} values={values} messages={rendered.messages} />
        ) : (
          <pre class="output" role="group" tabIndex={0} aria-label={`As ${nameOf(form)}`}>
            {output}
          </pre>
        )}
        {request !== undefined && (
          <section class="panel sent">
            <header>
              <h2>What is sent</h2>
            </header>
            <pre class="content" role="group" tabIndex={0} aria-label="What is sent">
              {JSON.stringify(request, undefined, 2)}
            </pre>
          </section>
        )}
      </section>
    </div>
  )
}

type Rendered = ReturnType<ReturnType<typeof livePrompt>['render']>

/** A variable without a value is shown as its token. In an app it would be an error. */
function tokensFor(missing: readonly string[]): [string, string][] {
  return missing.map((name) => [name, `{{ ${name} }}`])
}

function isSample(form: OutputFormat): form is SampleKind {
  return form !== 'messages' && form !== 'text' && form !== 'json'
}

function nameOf(form: OutputFormat): string {
  return form === 'json' || form === 'messages'
    ? 'messages JSON'
    : `${OUTPUT_FORMATS.find(({ value }) => value === form)?.label} ${form === 'text' ? '' : 'code'}`.trim()
}

function outputOf(form: OutputFormat, rendered: Rendered, subject: SampleSubject): string {
  if (form === 'text') return rendered.text
  if (form === 'json' || form === 'messages') return JSON.stringify(rendered.messages, undefined, 2)
  return sampleOf(form, subject)
}
