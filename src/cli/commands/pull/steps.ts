/** What is done with the plan of a pull, first and next, and what a person is offered. */
import type { PullContext } from './context.ts'

/** What the next step depends on: the options, the plan, and the terminal. */
export interface State extends Pick<PullContext['values'], 'yes' | 'dry-run' | 'interactive'> {
  /** How many lines break or were not checked. */
  readonly findings: number
  /** How many changes are left. */
  readonly left: number
  /** How many files are edited. */
  readonly edits: number
  /** How many files `--fix` would edit; `undefined` until it was tried. */
  readonly fixable: number | undefined
  /** Whether the lock before is damaged. */
  readonly isDamaged: boolean
  /** Whether nothing was done with a plan yet. */
  readonly isFirst: boolean
  readonly hasTerminal: boolean
}

type Table<Step, On = State> = readonly (readonly [Step, (on: On) => boolean | undefined])[]

/** What makes the first judged plan: the first line that applies. */
export const FIRST: Table<'fix' | 'skip-breaking' | 'judge', PullContext['values']> = [
  ['fix', ({ fix }) => fix],
  ['skip-breaking', (values) => values['skip-breaking']],
  ['judge', () => true],
]

/** What is done with a judged plan: the first line that applies. */
const NEXT: Table<'choose' | 'write' | 'cancel' | 'confirm' | 'try-fix' | 'offer'> = [
  ['choose', (state) => state.interactive && state.isFirst],
  ['write', ({ findings, edits, isDamaged }) => !findings && !edits && !isDamaged],
  ['write', (state) => state.yes || state['dry-run']],
  ['cancel', ({ hasTerminal }) => !hasTerminal],
  ['confirm', ({ findings }) => !findings],
  ['try-fix', ({ fixable, left, isDamaged }) => fixable === undefined && !left && !isDamaged],
  ['offer', () => true],
]

/** What a person is offered if lines break: each line that applies. After a choice, the rest is verified. */
const OFFERS: Table<Offer> = [
  ['review', () => true],
  ['choose', ({ left }) => !left],
  ['skip-breaking', ({ left, isDamaged }) => !left && !isDamaged],
  ['fix', ({ left, fixable = 0 }) => !left && fixable > 0],
  ['write', () => true],
  ['cancel', () => true],
]

export type Offer = 'review' | 'choose' | 'skip-breaking' | 'fix' | 'write' | 'cancel'

export function nextStep(state: State): (typeof NEXT)[number][0] {
  return NEXT.find(([, applies]) => applies(state))?.[0] ?? 'cancel'
}

export function offersFor(state: State): Offer[] {
  return OFFERS.flatMap(([offer, applies]) => (applies(state) ? offer : []))
}
