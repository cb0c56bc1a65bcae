import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

/** A few options side by side. Radio buttons, because they support the arrow keys. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly options: readonly {
    readonly value: Value
    readonly label: string
    readonly disabled?: boolean
  }[]
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
