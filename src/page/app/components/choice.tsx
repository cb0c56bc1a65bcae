import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { useSetting } from '../use-route.ts'

/** The options of a choice. */
export type ChoiceOptions<Value extends string> = readonly {
  readonly value: Value
  readonly label: string
  readonly disabled?: boolean
}[]

/** A few options side by side. Radio buttons, because they support the arrow keys. */
function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly options: ChoiceOptions<Value>
  readonly value: Value
  readonly onChange: (value: Value) => void
}): JSX.Element {
  const name = useId()
  return (
    <fieldset class="choice">
      <legend class="offscreen">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled === true}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** A choice that is kept in the URL. The first option is the default. */
export function SettingChoice<Value extends string>({
  name,
  label,
  options,
}: {
  /** Of the setting. */
  readonly name: string
  readonly label: string
  readonly options: ChoiceOptions<Value>
}): JSX.Element {
  const [value, onChange] = useSetting(name, options)
  return <Choice label={label} options={options} value={value} onChange={onChange} />
}
