import type { JSX } from 'preact'
import type { Dispatch, StateUpdater } from 'preact/hooks'
import { VIEWS } from '../route.ts'
import { useKeys } from '../use-keys.ts'
import { useRouter } from '../use-route.ts'
import { closeModal, Modal } from './modal.tsx'
import { Palette } from './palette.tsx'

/** The dialog that is open. */
export type OpenDialog = 'palette' | 'shortcuts' | undefined

/** The palette and the list of shortcuts, and the keys that open them or change the view. */
export function Dialogs({
  open,
  onOpen,
}: {
  readonly open: OpenDialog
  readonly onOpen: Dispatch<StateUpdater<OpenDialog>>
}): JSX.Element | null {
  const { route, go } = useRouter()
  const { place } = route
  const views = VIEWS.map(({ view }, index) => [
    String(index + 1),
    () => place.kind === 'prompt' && go({ ...place, view }),
  ])
  useKeys({
    'mod+k': () => onOpen('palette'),
    '?': () => onOpen('shortcuts'),
    ...Object.fromEntries(views),
  })
  // A dialog reports that it is closed later, when the next one may be open already.
  const close = (): void => onOpen((current) => (current === open ? undefined : current))
  if (open === 'palette') {
    return <Palette onClose={close} showShortcuts={() => onOpen('shortcuts')} />
  }
  return open === 'shortcuts' ? <Shortcuts onClose={close} /> : null
}

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['Ctrl K', '⌘ K'], 'Go to a prompt, a view or an action'],
  [['/'], 'Search in the list'],
  [['Enter'], 'Open the best match of the search'],
  [['↓', '↑'], 'Move through the list, from the search too'],
  [['1', '2', '3'], 'Text, Try it, Compare'],
  [['f'], 'Find in the text'],
  [['Enter', 'Shift Enter'], 'Next and previous match in the text'],
  [['Esc'], 'Empty the search, close a dialog'],
  [['?'], 'Show these shortcuts'],
]

function Shortcuts({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Modal name="shortcuts" label="Keyboard shortcuts" onClose={onClose}>
      <header class="between">
        <h2>Keyboard shortcuts</h2>
        <button type="button" class="button" onClick={closeModal}>
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
    </Modal>
  )
}
