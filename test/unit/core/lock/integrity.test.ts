import { describe, expect, test, vi } from 'vitest'
import {
  type Digest,
  integrityOf,
  digestLock,
  printLock,
} from '../../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { liveLock, parsedLock, pinned } from '../../../helpers/pinned.ts'

describe('the integrity of a prompt', () => {
  const whole = pinned({ system: 'S', user: 'U' })

  test.each(Object.keys(whole))('covers its %s', (field) => {
    const other = { ...whole, [field]: field === 'temperature' ? 1 : 'other' }
    expect(integrityOf(other, sha256)).not.toBe(integrityOf(whole, sha256))
  })

  test('is over what the lock prints of it', () => {
    const lines = printLock(liveLock(whole), () => 'sha256-short').split('\n')
    expect(integrityOf(whole, (text) => text)).toBe(lines.slice(5, -5).join('\n').slice(0, -1))
  })

  test('does not cover a held mark', () => {
    const held = { ...whole, held: { reason: 'Legal.' } }
    expect(integrityOf(held, sha256)).toBe(integrityOf(whole, sha256))
    expect(digestLock(liveLock(held), sha256)).toBe(digestLock(liveLock(whole), sha256))
  })

  test('is that of the prompt alone after a lock with its hold was read', () => {
    const [read] = parsedLock(
      printLock(liveLock({ ...whole, held: { reason: 'Legal.' } }), sha256),
    ).prompts
    expect(read && integrityOf(read, sha256)).toBe(integrityOf(whole, sha256))
  })

  test('distinguishes a text from the same text in the next field', () => {
    const [one, two] = [pinned({ folder: 'a', model: 'bc' }), pinned({ folder: 'ab', model: 'c' })]
    expect(integrityOf(one, sha256)).not.toBe(integrityOf(two, sha256))
  })

  test('is a SHA-256, the same on every machine', () => {
    expect(integrityOf(whole, sha256)).toMatchInlineSnapshot(
      `"sha256-PP93FQdZNU2ZdNvbJeHvS0QUXBi0r/DiNAP1idrzhJQ="`,
    )
  })
})

describe('a prompt is hashed once', () => {
  test('when first asked', () => {
    const digest = vi.fn<Digest>(sha256)
    const prompt = pinned()
    expect(integrityOf(prompt, digest)).toBe(integrityOf(prompt, digest))
    expect(digest).toHaveBeenCalledTimes(1)
  })

  test('but its hash is not that of a changed copy, nor of another digest', () => {
    const prompt = pinned()
    const before = integrityOf(prompt, sha256)
    expect(integrityOf({ ...prompt, system: 'other' }, sha256)).not.toBe(before)
    expect(integrityOf(prompt, () => 'short')).toBe('short')
    expect(integrityOf(prompt, sha256)).toBe(before)
  })

  test('while its lock is read: printing and digesting that lock hash no entry again', () => {
    const digest = vi.fn<Digest>(sha256)
    const text = printLock(liveLock({ slug: 'a' }, { slug: 'b' }), sha256)
    const lock = parsedLock(text, digest)
    expect(digest).toHaveBeenCalledTimes(2)
    expect(printLock(lock, digest)).toBe(text)
    digestLock(lock, digest)
    expect(digest).toHaveBeenCalledTimes(3)
  })
})
