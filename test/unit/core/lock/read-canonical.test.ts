import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEntry } from '../../../../src/core/lock/parse-entries.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { readCanonical, readPlainEntry } from '../../../../src/core/lock/read-canonical.ts'
import type { PinnedPrompt } from '../../../../src/core/prompt.ts'
import { sha256 } from '../../../../src/fs/digest.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'

/** What is between the braces of the only entry of a lock. */
function entryOf(prompt: Partial<PinnedPrompt>): string {
  const text = printLock(liveLock(prompt), sha256)
  return text.slice(text.indexOf('    {\n') + '    {\n'.length, text.lastIndexOf('\n    }'))
}

/** Texts in which lines end in every way, and whose quotes have one spelling. */
const text = fc.string({
  unit: fc.constantFrom('a', 'é', '\n', '"', '{{ x }}', '😀'),
  maxLength: 12,
})
const name = fc.string({ unit: fc.constantFrom('a', 'é', '-', '/'), minLength: 1, maxLength: 6 })
const plainPrompt = fc
  .record({
    slug: name,
    folder: name,
    model: name,
    version: name,
    temperature: fc.constantFrom(0, 0.25, 1, -1.5, 1e21, 1e-7),
    system: text,
    user: text,
    join: fc.constantFrom('', '\n\n', ' '),
  })
  .map(({ join, ...fields }) => ({ ...fields, source: fields.system + join + fields.user }))

describe('a printed entry without escapes of more than one spelling', () => {
  test('is read in place, as the parser reads it', () => {
    fc.assert(
      fc.property(plainPrompt, (prompt) => {
        const entry = entryOf(prompt)
        const read = readPlainEntry(entry)
        expect(read).toEqual(parseEntry(entry))
        expect(read?.prompt).toEqual(prompt)
      }),
      sweep(),
    )
  })

  test('is not read in place after any change that is no other printed entry', () => {
    const entry = entryOf({ system: 'a\nb "c"\n\n', user: 'd', temperature: 0.5 })
    const part = fc.constantFrom(
      '',
      ' ',
      '\n',
      '"',
      ',',
      '\\',
      '\\n',
      '[',
      ']',
      ':',
      'x',
      '0',
      'e1',
    )
    const position = fc.nat(entry.length)
    fc.assert(
      fc.property(position, fc.nat(3), part, (at, removed, inserted) => {
        const changed = entry.slice(0, at) + inserted + entry.slice(at + removed)
        const read = readPlainEntry(changed)
        if (read === undefined) return
        expect(read).toEqual(parseEntry(changed))
        expect(`${read.bytes},\n      "integrity": ${JSON.stringify(read.integrity)}`).toBe(changed)
      }),
      sweep(2000),
    )
  })
})

test('entries of an earlier text are not parsed again', () => {
  const [a, b] = [{ slug: 'a' }, { slug: 'b', system: 'before' }]
  const known = readCanonical(printLock(liveLock(a, b), sha256))?.entries
  const changed = printLock(liveLock(a, { ...b, system: 'after' }), sha256)
  const read = readCanonical(changed, known)?.entries
  expect(read).toEqual(readCanonical(changed)?.entries)
  expect(read?.[0]?.prompt).toBe(known?.[0]?.prompt)
  expect(read?.[1]?.prompt.system).toBe('after')
})
