import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { type Options, set, settingOf } from '../navigation.ts'

interface SettingChoiceProps<Value extends string> {
  /** Of the setting. */
  readonly name: string
  readonly label: string
  readonly options: Options<Value>
}

/**
 * A choice among a few options side by side, which is kept in the URL. Radio buttons, because they
 * support the arrow keys.
 */
export function SettingChoice<Value extends string>({
  name,
  label,
  options,
}: SettingChoiceProps<Value>): JSX.Element {
  const chosen = settingOf(name, options)
  const group = useId()
  return (
    <fieldset class="choice">
      <legend class="offscreen">{label}</legend>
      {options.map(({ value, label: text }, index) => (
        <label key={value}>
          <input
            type="radio"
            name={group}
            checked={value === chosen}
            onChange={() => set(name, index === 0 ? '' : value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
