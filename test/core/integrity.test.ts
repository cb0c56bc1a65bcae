import { describe, expect, test, vi } from 'vitest'
import { type Digest, HashedPrompt, integrityOf } from '../../src/core/integrity.ts'
import { digestLock, printLock } from '../../src/core/lock.ts'
import { parseLock } from '../../src/core/parse-lock.ts'
import { sha256 } from '../../src/io/digest.ts'
import { liveLock, LOCK_SOURCE, pinned } from '../helpers/pinned.ts'

describe('the integrity of a prompt', () => {
  const whole = pinned({ system: 'S', user: 'U' })

  test.each(Object.keys(whole))('covers its %s', (field) => {
    const other = { ...whole, [field]: field === 'temperature' ? 1 : 'other' }
    expect(integrityOf(other, sha256)).not.toBe(integrityOf(whole, sha256))
  })

  test('does not mistake one field for its neighbour', () => {
    const [one, two] = [pinned({ folder: 'a', model: 'bc' }), pinned({ folder: 'ab', model: 'c' })]
    expect(integrityOf(one, sha256)).not.toBe(integrityOf(two, sha256))
  })

  test('is a SHA-256, the same on every machine (FAULTS 60)', () => {
    expect(integrityOf(whole, sha256)).toMatchInlineSnapshot(
      `"sha256-l4GcMfylPkDooWGbcd3XgGDfQGysCD7BMMROtsitzs0="`,
    )
  })
})

describe('a prompt that is hashed once', () => {
  const prompt = pinned({ system: 'S', user: 'U' })

  test('has the fields and the integrity of the plain one', () => {
    const hashed = new HashedPrompt(prompt)
    expect({ ...hashed }).toEqual(prompt)
    expect(JSON.stringify(hashed)).toBe(JSON.stringify(prompt))
    expect(integrityOf(hashed, sha256)).toBe(integrityOf(prompt, sha256))
  })

  test('is hashed when first asked, and not again', () => {
    const digest = vi.fn<Digest>(sha256)
    const hashed = new HashedPrompt(prompt)
    expect(digest).not.toHaveBeenCalled()
    expect(integrityOf(hashed, digest)).toBe(integrityOf(hashed, digest))
    expect(digest).toHaveBeenCalledTimes(1)
  })

  test('does not give its hash to a changed copy', () => {
    const hashed = new HashedPrompt(prompt)
    const before = integrityOf(hashed, sha256)
    expect(integrityOf({ ...hashed, system: 'other' }, sha256)).not.toBe(before)
    expect(integrityOf(new HashedPrompt({ ...hashed, user: '' }), sha256)).not.toBe(before)
  })

  test('does not take the hash of another digest for the one asked for', () => {
    const hashed = new HashedPrompt(prompt)
    expect(integrityOf(hashed, () => 'short')).toBe('short')
    expect(integrityOf(hashed, sha256)).toBe(integrityOf(prompt, sha256))
  })

  test('comes out of a lock that was read: printing and digesting it hash no entry again', () => {
    const digest = vi.fn<Digest>(sha256)
    const text = printLock(liveLock({ slug: 'a' }, { slug: 'b' }), sha256)
    const parsed = parseLock(text, LOCK_SOURCE, digest)
    if (parsed.kind === 'fault') throw parsed.error
    expect(digest).toHaveBeenCalledTimes(2)
    expect(printLock(parsed.lock, digest)).toBe(text)
    digestLock(parsed.lock, digest)
    expect(digest).toHaveBeenCalledTimes(3)
  })
})
