import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { useSetting } from '../use-route.ts'

/** The options of a choice. */
export type ChoiceOptions<Value extends string> = readonly {
  readonly value: Value
  readonly label: string
}[]

/**
 * A choice among a few options side by side, which is kept in the URL. The first option is the
 * default. Radio buttons, because they support the arrow keys.
 */
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
  const [chosen, choose] = useSetting(name, options)
  const group = useId()
  return (
    <fieldset class="choice">
      <legend class="offscreen">{label}</legend>
      {options.map(({ value, label: text }) => (
        <label key={value}>
          <input
            type="radio"
            name={group}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
