import type { JSX } from 'preact'
import { Modal } from './modal.tsx'

const SHORTCUTS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl K', '⌘ K'], does: 'Go to a prompt, a view or an action' },
  { keys: ['/'], does: 'Search in the list' },
  { keys: ['Enter'], does: 'Open the best match of the search' },
  { keys: ['↓', '↑'], does: 'Move through the list, from the search too' },
  { keys: ['1', '2', '3'], does: 'Text, Try it, Compare' },
  { keys: ['f'], does: 'Find in the text' },
  { keys: ['Enter', 'Shift Enter'], does: 'Next and previous match in the text' },
  { keys: ['Esc'], does: 'Empty the search, close a dialog' },
  { keys: ['?'], does: 'Show these shortcuts' },
]

/** The keys that the page knows. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Modal name="shortcuts" label="Keyboard shortcuts" onClose={onClose}>
      {(close) => (
        <>
          <header>
            <h2>Keyboard shortcuts</h2>
            <button type="button" class="button" onClick={close}>
              Close
            </button>
          </header>
          <dl>
            {SHORTCUTS.map(({ keys, does }) => (
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
        </>
      )}
    </Modal>
  )
}
