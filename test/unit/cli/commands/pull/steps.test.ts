import { expect, test } from 'vitest'
import { nextStep, offersFor, type State } from '../../../../../src/cli/commands/pull/steps.ts'

/** A plan that breaks nothing, on a terminal. */
const HARMLESS: State = {
  findings: 0,
  left: 0,
  edits: 0,
  fixable: undefined,
  isDamaged: false,
  isFirst: true,
  hasTerminal: true,
}
const breaks = { findings: 2 }
const tried = { ...breaks, fixable: 0 }
const isOff = { hasTerminal: false }

test.each<[state: Partial<State>, step: ReturnType<typeof nextStep>]>([
  [{}, 'write'],
  [isOff, 'write'],
  [breaks, 'try-fix'],
  [tried, 'offer'],
  [{ ...breaks, left: 1 }, 'offer'],
  [{ ...breaks, isDamaged: true }, 'offer'],
  [{ ...breaks, ...isOff }, 'cancel'],
  [{ ...breaks, ...isOff, yes: true }, 'write'],
  [{ ...breaks, ...isOff, 'dry-run': true }, 'write'],
  [{ ...breaks, yes: true }, 'write'],
  [{ edits: 1 }, 'confirm'],
  [{ edits: 1, left: 1 }, 'confirm'],
  [{ edits: 1, ...isOff }, 'cancel'],
  [{ edits: 1, ...isOff, yes: true }, 'write'],
  [{ isDamaged: true }, 'confirm'],
  [{ isDamaged: true, ...isOff }, 'cancel'],
  [{ isDamaged: true, ...isOff, yes: true }, 'write'],
  [{ left: 1 }, 'write'],
  [{ interactive: true }, 'choose'],
  [{ ...breaks, interactive: true }, 'choose'],
  [{ interactive: true, left: 1 }, 'choose'],
  [{ interactive: true, isFirst: false }, 'write'],
  [{ ...breaks, interactive: true, isFirst: false, left: 1 }, 'offer'],
])('after a plan of %j, a pull does this: %s', (state, step) => {
  expect(nextStep({ ...HARMLESS, ...state })).toBe(step)
})

test.each<[state: Partial<State>, offers: string]>([
  [tried, 'review, choose, skip-breaking, write, cancel'],
  [{ ...breaks, fixable: 1 }, 'review, choose, skip-breaking, fix, write, cancel'],
  [{ ...breaks, left: 1 }, 'review, write, cancel'],
  [{ ...breaks, left: 1, fixable: 1 }, 'review, write, cancel'],
  [{ ...breaks, isDamaged: true }, 'review, choose, write, cancel'],
])('about a plan of %j, a person is offered: %s', (state, offers) => {
  expect(offersFor({ ...HARMLESS, ...state }).join(', ')).toBe(offers)
})
