import { VIEWS } from './route.ts'
import { go } from './navigation.ts'
import { page } from './store.ts'

/** Keys, and what they do; `undefined` where the element with the focus does it. */
export interface Shortcut {
  readonly does: string
  /** By name: `g p` is one after the other, `Ctrl K` and `⌘ K` are the same. */
  readonly keys: Readonly<Record<string, (() => void) | undefined>>
}

/** All shortcuts of the page. */
export const SHORTCUTS: readonly Shortcut[] = [
  {
    does: 'Prompts, Changes',
    keys: { 'g p': () => go({ kind: 'prompts' }), 'g c': () => go({ kind: 'changes' }) },
  },
  {
    does: 'Search the prompts',
    keys: { '/': focusSearch, 'Ctrl K': focusSearch, '⌘ K': focusSearch },
  },
  { does: 'Open the best match of the search', keys: { Enter: undefined } },
  {
    does: 'Move through the list, from the search too',
    keys: { '↓': undefined, '↑': undefined },
  },
  { does: 'Text and Try of a prompt', keys: { 1: () => showView(0), 2: () => showView(1) } },
  { does: 'Next and previous change', keys: { j: () => step(1), k: () => step(-1) } },
  { does: 'Mark the change as viewed', keys: { v: undefined } },
  { does: 'Empty the search, close this', keys: { Esc: undefined } },
  { does: 'Show these shortcuts', keys: { '?': showShortcuts } },
]

/** The id of the dialog with the shortcuts. */
export const DIALOG = 'shortcuts'

/** Opens the dialog with the shortcuts. */
export function showShortcuts(): void {
  document.querySelector<HTMLDialogElement>(`#${DIALOG}`)?.showModal()
}

function focusSearch(): void {
  const input = document.querySelector<HTMLInputElement>('[type="search"]')
  input?.focus()
  input?.select()
}

function showView(index: number): void {
  const { place } = page().route
  const view = VIEWS[index]?.view
  if (place.kind === 'prompt' && view !== undefined) go({ ...place, view })
}

/** Moves among the changes. */
function step(by: number): void {
  moveFocus([...document.querySelectorAll<HTMLElement>('.change > details > summary')], by)
}

/** Focuses the element that is so many after the one with the focus, or the last one in that way. */
export function moveFocus(elements: readonly HTMLElement[], by: number): void {
  const at = elements.findIndex((element) => element === document.activeElement)
  elements[Math.max(0, Math.min(at + by, elements.length - 1))]?.focus()
}

/** The milliseconds in which a second key belongs to the first. */
const SEQUENCE = 1000

/** Runs the actions of keys; of those without Ctrl and ⌘ unless the user types or a dialog is open. */
export function followKeys(): void {
  const actions = new Map(SHORTCUTS.flatMap(({ keys }) => Object.entries(keys)))
  let last = { key: '', at: Number.NEGATIVE_INFINITY }
  addEventListener('keydown', (event) => {
    const { key, timeStamp: at, altKey, isComposing, ctrlKey, metaKey } = event
    const isPlain = !ctrlKey && !metaKey
    if (altKey || isComposing || (isPlain && isTyping(event.target))) return
    const first = isPlain && at - last.at < SEQUENCE ? last.key : ''
    if (isPlain) last = { key, at }
    const action = isPlain
      ? (actions.get(`${first} ${key}`) ?? actions.get(key))
      : actions.get(`Ctrl ${key.toUpperCase()}`)
    if (action === undefined) return
    event.preventDefault()
    action()
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  const isField =
    target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select')
  // The field of a dialog that was just closed keeps the focus until the next frame.
  return isField && target.checkVisibility()
}
