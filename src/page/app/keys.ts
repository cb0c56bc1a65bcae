import { go } from './navigation.ts'

/** What keys do, by name: `g p` is one after the other, `Ctrl K` is also ⌘ K. */
const ACTIONS: Readonly<Record<string, () => void>> = {
  'g p': () => go({ kind: 'prompts' }),
  'g c': () => go({ kind: 'changes' }),
  '/': focusSearch,
  'Ctrl K': focusSearch,
  j: () => step(1),
  k: () => step(-1),
}

function focusSearch(): void {
  const input = document.querySelector<HTMLInputElement>('[type="search"]')
  input?.focus()
  input?.select()
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

/** Runs the actions of keys; of those without Ctrl and ⌘ unless the user types. */
export function followKeys(): void {
  let last = { key: '', at: Number.NEGATIVE_INFINITY }
  addEventListener('keydown', (event) => {
    const { key, timeStamp: at, altKey, isComposing, ctrlKey, metaKey } = event
    const isPlain = !ctrlKey && !metaKey
    if (altKey || isComposing || (isPlain && isTyping(event.target))) return
    const first = isPlain && at - last.at < SEQUENCE ? last.key : ''
    if (isPlain) last = { key, at }
    const action = isPlain
      ? (ACTIONS[`${first} ${key}`] ?? ACTIONS[key])
      : ACTIONS[`Ctrl ${key.toUpperCase()}`]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea')
}
