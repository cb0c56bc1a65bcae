import { describe, expect, test } from 'vitest'
import { integrityOf, printLock } from '../../../../src/core/lock/print-lock.ts'
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
