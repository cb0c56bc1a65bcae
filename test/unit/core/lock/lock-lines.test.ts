import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locateParts } from '../../../../src/core/lock/lock-lines.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { HOSTILE } from '../../../helpers/hostile.ts'
import { liveLock, lockOf } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'

const live = (slug: string) => ({ slug, environment: 'live' }) as const
const staging = (slug: string) => ({ slug, environment: 'test' }) as const

describe('locateParts', () => {
  test('the lines of the slug and of every field of both parts are found', () => {
    const lock = lockOf({
      live: [{ slug: 'a' }, { slug: 'b', user: 'x' }],
      staging: [{ slug: 'b', version: 'v23' }, { slug: 'c,d' }],
    })
    const text = printLock(lock, sha256)
    const locate = locateParts(text)
    const lineOf = (part: Parameters<typeof locate>[0], field?: string): string | undefined =>
      text.split('\n')[(locate(part, field) ?? 0) - 1]?.trim()
    for (const part of lock.parts) {
      const { slug, version } = part
      expect(lineOf(part, 'slug')).toBe(`"slug": "${slug}",`)
      expect(lineOf(part, 'version')).toBe(`"version": "${version}",`)
      expect(lineOf(part, 'integrity')).toMatch(/^"integrity": "sha256/)
    }
    expect(lineOf(live('b'), 'none')).toBe('"slug": "b",')
    expect(lineOf(live('b'))).toBe('"slug": "b",')
    expect(lineOf(staging('a'), 'version')).toBe('"slug": "a",')
  })

  test('a line of text is not taken for a field', () => {
    const line = fc.constantFrom(...HOSTILE, '"slug": "b"', '"slug": "b",', '      "version": 1,')
    fc.assert(
      fc.property(fc.array(line), (texts) => {
        const system = texts.join('\n')
        const text = printLock(liveLock({ slug: 'a', system, user: system }), sha256)
        const locate = locateParts(text)
        expect(locate(live('b'))).toBe(undefined)
        expect(text.split('\n')[(locate(live('a'), 'version') ?? 0) - 1]).toContain('"v22"')
      }),
      sweep(),
    )
  })

  test('a slug with any characters is found, also in a file with CRLF', () => {
    const text = printLock(liveLock(...HOSTILE.map((slug) => ({ slug }))), sha256)
    const lines = (of: string): unknown[] => {
      const locate = locateParts(of)
      return HOSTILE.map((slug) => locate(live(slug), 'version'))
    }
    expect(new Set(lines(text)).size).toBe(HOSTILE.length)
    expect(lines(text)).not.toContain(undefined)
    expect(lines(text.replaceAll('\n', '\r\n'))).toEqual(lines(text))
  })

  test.each(['', '{', '[1]', '{"slug":"a","version":"v1"}', '"slug": bad'])(
    'no part is found in %j',
    (text) => {
      expect(locateParts(text)(live('a'))).toBe(undefined)
    },
  )
})
