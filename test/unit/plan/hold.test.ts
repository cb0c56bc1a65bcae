import { describe, expect, test } from 'vitest'
import { editPart, holdParts, unholdParts } from '../../../src/plan/hold.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { lockOf, lockText } from '../../helpers/pinned.ts'

const LOCK = lockOf({
  live: [{ slug: 'a' }, { slug: 'b', held: { reason: 'Legal' } }],
  staging: [{ slug: 'b', version: 'v23' }],
})

/** The reason of each part's hold: those of `a`, of `b`, and of the staging part of `b`. */
function reasons({ parts }: Lock): (string | undefined)[] {
  return parts.map(({ held }) => held?.reason)
}

describe('a hold', () => {
  test.each([
    ['marks the named part', ['a'], 'live', 'Tone', ['Tone', 'Legal', undefined]],
    ['marks the other part of a prompt', ['b'], 'test', '', [undefined, 'Legal', '']],
    ['keeps the reason of a held part', ['b'], 'live', undefined, [undefined, 'Legal', undefined]],
    ['replaces the reason by a new one', ['b'], 'live', 'Tone', [undefined, 'Tone', undefined]],
    ['removes the reason by an empty one', ['b'], 'live', '', [undefined, '', undefined]],
  ] as const)('%s', (_, slugs, environment, reason, want) => {
    expect(reasons(holdParts(LOCK, slugs, environment, reason))).toEqual(want)
  })

  test('is gone when the part is held no longer, and other parts stay as they are', () => {
    const held = holdParts(LOCK, ['a', 'b'], 'live', 'x')
    const unheld = unholdParts(held, ['a', 'b'], 'live')
    const plain = lockOf({
      live: [{ slug: 'a' }, { slug: 'b' }],
      staging: [{ slug: 'b', version: 'v23' }],
    })
    expect(lockText(unheld)).toBe(lockText(plain))
    expect(reasons(unholdParts(LOCK, ['b'], 'test'))).toEqual(reasons(LOCK))
  })
})

test.each([
  ['held', () => holdParts(LOCK, ['c'], 'live', '')],
  ['held in staging', () => holdParts(LOCK, ['a'], 'test', '')],
  ['held no longer', () => unholdParts(LOCK, ['c'], 'live')],
  ['edited', () => editPart(LOCK, 'c', 'test', { system: 'S', user: '' }, '')],
])('what the lock does not have can not be %s', (_, change) => {
  expect(change).toThrow(expect.objectContaining({ code: 'SLUG_UNKNOWN' }))
})

test('an edited part of staging is created from the live part if there is none', () => {
  const { parts } = editPart(LOCK, 'a', 'test', { system: 'New.', user: '' }, undefined)
  expect(parts).toHaveLength(4)
  expect(parts[1]).toMatchObject({ environment: 'test', version: 'v22-edited', system: 'New.' })
})

test('an untouched text is pinned as it is, and held only for another reason', () => {
  const lock = holdParts(LOCK, ['a'], 'live', 'Legal')
  const [texts = { system: '', user: '' }] = lock.parts
  for (const reason of [undefined, 'Legal'])
    expect(editPart(lock, 'a', 'live', texts, reason)).toBe(lock)
  for (const reason of ['Late', ''])
    expect(editPart(lock, 'a', 'live', texts, reason)).toEqual(
      holdParts(lock, ['a'], 'live', reason),
    )
  expect(editPart(LOCK, 'a', 'live', texts, '')).toBe(LOCK)
  expect(editPart(LOCK, 'a', 'live', texts, 'New')).toEqual(holdParts(LOCK, ['a'], 'live', 'New'))
  expect(editPart(lock, 'a', 'test', texts, 'New')).toBe(lock)
})

test('an edited part of staging that is created has no reason of the live part', () => {
  const texts = { system: 'New.', user: '' }
  const lock = holdParts(LOCK, ['a'], 'live', 'Legal')
  expect(reasons(editPart(lock, 'a', 'test', texts, undefined)).slice(0, 2)).toEqual(['Legal', ''])
  expect(reasons(editPart(lock, 'a', 'live', texts, undefined))[0]).toBe('Legal')
})
