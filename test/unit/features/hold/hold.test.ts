import { describe, expect, test } from 'vitest'
import { digestLock, printLock } from '../../../../src/core/lock/print-lock.ts'
import { holdPrompts, releasePrompts } from '../../../../src/features/hold/hold.ts'
import { sha256 } from '../../../../src/fs/digest.ts'
import { liveLock, parsedLock } from '../../../helpers/pinned.ts'

const LOCK = liveLock({ slug: 'a' }, { slug: 'b', held: { reason: 'Legal' } })

function reasons(lock: typeof LOCK): (string | undefined)[] {
  return lock.prompts.map(({ held }) => held?.reason)
}

describe('holdPrompts', () => {
  test('marks the named prompts and leaves the others', () => {
    expect(reasons(holdPrompts(LOCK, ['a'], 'Tone'))).toEqual(['Tone', 'Legal'])
  })

  test.each([
    ['keeps the reason of a held prompt without a new one', undefined, 'Legal'],
    ['replaces the reason by a new one', 'Tone', 'Tone'],
    ['removes the reason by an empty one', '', ''],
  ])('%s', (_, reason, want) => {
    expect(reasons(holdPrompts(LOCK, ['b'], reason))).toEqual([undefined, want])
  })

  test('gives a lock that can be read again, whatever the reason', () => {
    const reason = '"\\\n\u202e\u0000💥 held": {'
    const text = printLock(holdPrompts(LOCK, ['a', 'b'], reason), sha256)
    expect(reasons(parsedLock(text))).toEqual([reason, reason])
  })

  test('changes nothing that is generated', () => {
    expect(digestLock(holdPrompts(LOCK, ['a'], ''), sha256)).toBe(digestLock(LOCK, sha256))
  })

  test.each([
    ['hold', () => holdPrompts(LOCK, ['a', 'c', 'd'], '')],
    ['release', () => releasePrompts(LOCK, ['a', 'c', 'd'])],
  ])('refuses to %s what the lock does not have', (_, edit) => {
    expect(edit).toThrow(expect.objectContaining({ code: 'SLUG_UNKNOWN' }))
  })
})

describe('releasePrompts', () => {
  test('gives the lock as it was before the prompts were held', () => {
    const plain = liveLock({ slug: 'a' }, { slug: 'b' })
    const held = holdPrompts(plain, ['a', 'b'], 'x')
    expect(printLock(releasePrompts(held, ['a', 'b']), sha256)).toBe(printLock(plain, sha256))
  })

  test('leaves prompts that are not held', () => {
    expect(releasePrompts(LOCK, ['a'])).toEqual(LOCK)
  })
})
