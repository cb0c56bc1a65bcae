import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { makeVisible } from '../../../core/text/sanitize.ts'
import type { Values } from '../live-prompt.ts'
import { useStored } from '../stored.ts'
import { RemoteText } from './pieces.tsx'
import { TextInput } from './text-input.tsx'

/** Values that stay in this browser, by the name that the user gave them. */
type Saved = Readonly<Record<string, Values>>

interface FieldsProps {
  readonly slug: string
  readonly names: readonly string[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

/** A field for each variable. The values stay in this tab. */
export function VariableFields(props: FieldsProps): JSX.Element {
  const { names, values, onChange } = props
  const id = useId()
  return (
    <section class="fields stack" aria-label="Variables">
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
        {names.length === 0
          ? 'This prompt has none.'
          : 'Values stay in this tab of your browser, saved ones in the browser.'}
      </p>
      {names.length > 0 && <SavedValues {...props} />}
    </section>
  )
}

/** Saves values of a prompt under a name, and brings them back. */
function SavedValues({ slug, values, onChange }: FieldsProps): JSX.Element {
  const [saved, keep] = useStored<Saved>(() => localStorage, `fixtures:${slug}`, {})
  const [name, setName] = useState('')
  const entries = Object.entries(saved)
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    keep({ ...saved, [name.trim()]: values })
  }
  const remove = (label: string): void =>
    keep(Object.fromEntries(entries.filter(([other]) => other !== label)))
  const choose = (label: string): void => {
    setName(label)
    onChange(saved[label] ?? {})
  }
  return (
    <form class="flow" onSubmit={onSubmit}>
      <TextInput
        class="input grow"
        aria-label="Name for these values"
        placeholder="Save these values as…"
        value={name}
        onText={setName}
      />
      <button type="submit" class="button" disabled={name.trim() === ''}>
        Save
      </button>
      {entries.length > 0 && (
        <ul class="saved flow" aria-label="Saved values">
          {entries.map(([label]) => (
            <li key={label} class="cluster">
              <button type="button" class="button" onClick={() => choose(label)}>
                {makeVisible(label)}
              </button>
              <button
                type="button"
                class="button"
                aria-label={`Remove ${makeVisible(label)}`}
                onClick={() => remove(label)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
