import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { FaultyLock } from '../../../../src/core/lock/canonical-lock.ts'
import { openLock } from '../../../../src/core/lock/parse-lock.ts'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { type Entry, lockOf as verified } from '../../../../src/core/lock/entry.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { hostileLock } from '../../../helpers/hostile.ts'
import { lockOf, parsedLock } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'

const LOCK = lockOf({
  live: [
    { slug: 'a', system: 'One\nTwo\n', held: { reason: 'Legal' } },
    { slug: 'b', system: 'x\u202ey', folder: 'A\\/"\u0001' },
    { slug: 'c', source: 'S and V' },
  ],
  staging: [
    { slug: 'b', version: 'v23' },
    { slug: 'd', version: 'v1' },
  ],
})
const TEXT = printLock(LOCK, sha256)

function fail(fault: FaultyLock): never {
  throw new Error(fault.fault.code)
}

function opened(text: string, digest: typeof sha256 = sha256): readonly Entry[] {
  const entries = openLock(text, digest, fail)
  if ('kind' in entries) throw new Error(entries.fault.code)
  return entries
}

test('an entry is verified when its parts are asked for, and once; its first lines are read without', () => {
  const digest = vi.fn<typeof sha256>(sha256)
  const entries = opened(TEXT, digest)
  expect(entries.flatMap(({ heads }) => heads)).toEqual(
    LOCK.parts.map(({ slug, environment, version, folder }) => {
      return { slug, environment, version, folder }
    }),
  )
  expect(digest).not.toHaveBeenCalled()
  expect(entries[0]?.parts()).toEqual(LOCK.parts.slice(0, 1))
  expect(entries[0]?.parts()).toBe(entries[0]?.parts())
  expect(digest).toHaveBeenCalledTimes(1)
  // Both parts of an entry are one text.
  expect(entries[1]?.parts()).toEqual(LOCK.parts.slice(1, 3))
  expect(digest).toHaveBeenCalledTimes(3)
})

test('an entry of a lock that a formatter wrote is hashed as often, however many there are', () => {
  const hashes = (count: number): number => {
    const digest = vi.fn<typeof sha256>(sha256)
    const live = Array.from({ length: count }, (_, index) => ({ slug: `p${index}` }))
    const text = printLock(lockOf({ live }), sha256)
    const formatted = text.replaceAll(/(?<=\[)\s+("Be kind\.",)\s+("")\s+(?=\])/g, '$1 $2')
    expect(formatted).not.toBe(text)
    const { parts } = verified(opened(formatted, digest))
    expect(parts.map(({ system }) => system)).toEqual(live.map(() => 'Be kind.'))
    return digest.mock.calls.length
  }
  expect(hashes(40) - hashes(30)).toBe(hashes(20) - hashes(10))
})

test.each([
  ['in front of an entry', '    {\n      "slug": "c"', '     {\n      "slug": "c"'],
  ['behind an entry', '    },\n    {\n      "slug": "c"', '    }, \n    {\n      "slug": "c"'],
  ['of a key', '    {\n      "slug": "c"', '    { "slug" : "c"'],
])('an entry is found with other white space %s', (_, from, to) => {
  const text = TEXT.replace(from, to)
  expect(text).not.toBe(TEXT)
  expect(verified(opened(text))).toEqual(LOCK)
})

test('a build reads what a check reads, whichever line has another indentation', () => {
  fc.assert(
    fc.property(hostileLock, fc.nat(), fc.nat(12), (lock, at, spaces) => {
      const lines = printLock(lock, sha256).split('\n')
      const index = at % lines.length
      lines[index] = ' '.repeat(spaces) + lines[index]?.trimStart()
      const text = lines.join('\n')
      expect(verified(opened(text))).toEqual(parsedLock(text))
    }),
    sweep(500),
  )
})

describe.each([
  ['edited', '"One"', '"Two"', 'LOCK_EDITED'],
  ['edited in its version', '"version": "v22"', '"version": "v9"', 'LOCK_EDITED'],
  ['printed in another form', '"One"', '"\\u004fne"', 'LOCK_INVALID'],
  ['hidden behind spaces', '"One"', `${' '.repeat(100)}"One"`, 'LOCK_INVALID'],
  ['given a key twice', '"model"', '"model": "x",\n        "model"', 'LOCK_INVALID'],
] as const)('an entry that was %s', (_, from, to, code) => {
  const edited = TEXT.replace(from, to)

  test('fails a build that ships it', () => {
    expect(() => opened(edited)[0]?.parts()).toThrow(code)
  })

  test('does not fail a build that does not, also in a file with CRLF', () => {
    for (const text of [edited, edited.replaceAll('\n', '\r\n')])
      expect(verified(opened(text).slice(1)).parts).toEqual(LOCK.parts.slice(1))
  })
})

const ENTRY = / {4}\{\n {6}"slug": "c"[^]*?\n {4}\},\n/

test.each([
  ['a conflict marker', 'S and V",\n', 'S and V",\n<<<<<<< HEAD\n', 'LOCK_CONFLICTED'],
  ['a newer version', /"lockVersion": \d+/, '"lockVersion": 99', 'LOCK_TOO_NEW'],
  ['an entry without its slug', '"slug": "c",', '', 'LOCK_INVALID'],
  ['every entry without its slug', /\n +"slug": .*/g, '', 'LOCK_INVALID'],
  ['an entry that begins with another key', '"slug": "c"', '"note": 1, $&', 'LOCK_INVALID'],
  ['a slug in another form', '"slug": "c"', '"slug": "\\u0063"', 'LOCK_INVALID'],
  ['a version in another form', '"v22"', '"v2\\u0032"', 'LOCK_INVALID'],
  ['a version with a key behind it', '"v22"', '"v22", "note": ""', 'LOCK_INVALID'],
  ['a folder in another form', '"support"', '"suppor\\u0074"', 'LOCK_INVALID'],
  [
    'a part that begins with another key',
    '"version": "v22",\n        "folder": "A',
    '"note": 1, $&',
    'LOCK_INVALID',
  ],
  ['an entry without a part', '"live": null', '"dead": null', 'LOCK_INVALID'],
  ['a slug twice', ENTRY, '$&$&', 'LOCK_DUPLICATE'],
  ['slugs out of order', '"slug": "c"', '"slug": "ab"', 'LOCK_UNSORTED'],
] as const)('%s fails every build, also one that ships nothing of it', (_, from, to, code) => {
  const text = TEXT.replace(from, to)
  expect(text).not.toBe(TEXT)
  expect(() => opened(text)).toThrow(code)
})

test('a build names the slug that is out of order', () => {
  const fault = { code: 'LOCK_UNSORTED', details: { slugs: ['ab'] } }
  const text = TEXT.replace('"slug": "c"', '"slug": "ab"')
  expect(openLock(text, sha256, fail)).toMatchObject({ fault })
})
