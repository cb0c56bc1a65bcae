import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { PromptView } from '../../protocol.ts'
import { RemoteText } from './pieces.tsx'
import { Fixtures } from './fixtures.tsx'
import type { Values } from './use-values.ts'

/** A field for each variable. The values stay in this tab. */
export function VariableFields({
  prompt: { slug, variables },
  values,
  set,
  replace,
}: {
  readonly prompt: PromptView
  readonly values: Values
  readonly set: (name: string, value: string) => void
  readonly replace: (values: Values) => void
}): JSX.Element {
  const id = useId()
  if (variables.length === 0) {
    return (
      <section class="fields" aria-label="Variables">
        <h2>Variables</h2>
        <p class="dim">This prompt has none.</p>
      </section>
    )
  }
  return (
    <section class="fields" aria-label="Variables">
      <header>
        <h2>Variables</h2>
        <button
          type="button"
          class="button"
          disabled={Object.keys(values).length === 0}
          onClick={() => replace({})}
        >
          Clear
        </button>
      </header>
      {variables.map((name, index) => (
        <div key={name} class="field">
          <label for={`${id}-${index}`}>
            <RemoteText text={name} />
          </label>
          <textarea
            id={`${id}-${index}`}
            class="input"
            rows={1}
            spellcheck={false}
            value={Object.hasOwn(values, name) ? values[name] : ''}
            placeholder="No value"
            onInput={({ currentTarget }) => set(name, currentTarget.value)}
          />
        </div>
      ))}
      <p class="dim small">Values stay in this tab of your browser, saved ones in the browser.</p>
      <Fixtures slug={slug} values={values} onChoose={replace} />
    </section>
  )
}
