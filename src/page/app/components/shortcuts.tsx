import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { type Place, VIEWS } from '../route.ts'
import { THEMES, useTheme } from '../theme.ts'
import { useKeys } from '../use-keys.ts'
import { useRouter } from '../use-route.ts'

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['g p', 'g c'], 'Prompts, Changes'],
  [['/', 'Ctrl K', '⌘ K'], 'Search the prompts'],
  [['Enter'], 'Open the best match of the search'],
  [['↓', '↑'], 'Move through the list, from the search too'],
  [['1', '2'], 'Text and Try of a prompt'],
  [['j', 'k'], 'Next and previous change'],
  [['v'], 'Mark the change as viewed'],
  [['Esc'], 'Empty the search, close this'],
  [['?'], 'Show these shortcuts'],
]

/** The id of the dialog, which the header's `?` opens. */
export const SHORTCUTS_ID = 'shortcuts'

/** The keys and the theme. Esc and a click next to it close it. */
export function Shortcuts({ place }: { readonly place: Place | undefined }): JSX.Element {
  const { go } = useRouter()
  const [theme, chooseTheme] = useTheme()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  const views = VIEWS.map(({ view }, index) => [
    String(index + 1),
    () => place?.kind === 'prompt' && go({ ...place, view }),
  ])
  useKeys({
    '?': () => dialog.current?.showModal(),
    'g p': () => go({ kind: 'prompts' }),
    'g c': () => go({ kind: 'changes' }),
    ...Object.fromEntries(views),
  })
  return (
    <dialog
      ref={dialog}
      id={SHORTCUTS_ID}
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
