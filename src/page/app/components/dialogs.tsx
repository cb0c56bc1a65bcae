import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { VIEWS } from '../route.ts'
import { THEMES, useTheme } from '../theme.ts'
import { useKeys } from '../use-keys.ts'
import { useRouter } from '../use-route.ts'

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/', 'Ctrl K', '⌘ K'], 'Search in the list'],
  [['Enter'], 'Open the best match of the search'],
  [['↓', '↑'], 'Move through the list, from the search too'],
  [['1', '2', '3'], 'Text, Try it, Compare'],
  [['Esc'], 'Empty the search, close this'],
  [['?'], 'Show these shortcuts'],
]

/** The keys and the theme. `?` opens it; Esc and a click next to it close it. */
export function Shortcuts(): JSX.Element {
  const { route, go } = useRouter()
  const { place } = route
  const [theme, chooseTheme] = useTheme()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  const views = VIEWS.map(({ view }, index) => [
    String(index + 1),
    () => place.kind === 'prompt' && go({ ...place, view }),
  ])
  useKeys({ '?': () => dialog.current?.showModal(), ...Object.fromEntries(views) })
  return (
    <dialog
      ref={dialog}
      class="shortcuts"
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
        {SHORTCUTS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
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
          onChange={({ currentTarget }) => chooseTheme(currentTarget.value)}
        >
          {THEMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </dialog>
  )
}
