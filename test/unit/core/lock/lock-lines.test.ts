import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locateEntries } from '../../../../src/core/lock/lock-lines.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { HOSTILE } from '../../../helpers/hostile.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'

describe('locateEntries', () => {
  test('returns the lines of the slug and of every field', () => {
    const text = printLock(liveLock({ slug: 'a' }, { slug: 'b', user: 'x' }), sha256)
    const lines = text.split('\n')
    const found = locateEntries(text)
    expect([...found.keys()]).toStrictEqual(['a', 'b'])
    for (const [slug, { entry, fields }] of found) {
      expect(lines[entry - 1]).toBe(`      "slug": "${slug}",`)
      for (const [name, line] of fields) expect(lines[line - 1]).toContain(`"${name}": `)
      expect([...fields.keys()]).toContain('integrity')
    }
  })

  test('does not read a line of text as a field', () => {
    const line = fc.constantFrom(...HOSTILE, '"slug": "b"', '"slug": "b",', '      "version": 1,')
    fc.assert(
      fc.property(fc.array(line), (texts) => {
        const system = texts.join('\n')
        const found = locateEntries(
          printLock(liveLock({ slug: 'a', system, user: system }), sha256),
        )
        expect([...found.keys()]).toStrictEqual(['a'])
      }),
      sweep(),
    )
  })

  test('finds a slug with any characters, and the same in a file with CRLF', () => {
    const text = printLock(liveLock(...HOSTILE.map((slug) => ({ slug }))), sha256)
    const found = locateEntries(text)
    expect(new Set(found.keys())).toStrictEqual(new Set(HOSTILE))
    expect(locateEntries(text.replaceAll('\n', '\r\n'))).toStrictEqual(found)
  })

  test.each(['', '{', '[1]', '{"slug":"a","version":"v1"}', '"slug": bad'])(
    'finds nothing in %j',
    (text) => {
      expect(locateEntries(text).size).toBe(0)
    },
  )
})
