import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { DIALOG, SHORTCUTS } from '../keys.ts'
import { useStored } from '../stored.ts'

/** The colours of the page. `system` follows the operating system. */
const THEMES = ['system', 'light', 'dark']

/** The keys and the theme. Esc and a click next to it close it. */
export function Shortcuts(): JSX.Element {
  const [theme, setTheme] = useStored(() => localStorage, 'theme', 'system')
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      id={DIALOG}
      aria-label="Keyboard shortcuts"
      onClick={({ target }) => target === dialog.current && close()}
    >
      <header class="between">
        <h2>Keyboard shortcuts</h2>
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </header>
      <dl>
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {Object.keys(keys).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="flow">
        Theme
        <select
          class="input"
          value={theme}
          onChange={({ currentTarget }) => setTheme(currentTarget.value)}
        >
          {THEMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </dialog>
  )
}
