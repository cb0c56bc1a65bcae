import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Values } from '../live-prompt.ts'
import { RemoteText } from './pieces.tsx'

interface FieldsProps {
  readonly names: readonly string[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

/** A field for each variable. */
export function VariableFields({ names, values, onChange }: FieldsProps): JSX.Element {
  const id = useId()
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
      {names.map((name, index) => (
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
            onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        </div>
      ))}
      <p class="dim small">
        {names.length === 0 ? 'This prompt has none.' : 'Values stay in this browser.'}
      </p>
    </section>
  )
}
