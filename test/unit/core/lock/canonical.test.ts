import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import { parseLock } from '../../../../src/core/lock/parse-lock.ts'
import { isSameJson } from '../../../../src/core/lock/json-difference.ts'
import { printJsonString } from '../../../../src/core/text/json-string.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { hostileLock } from '../../../helpers/hostile.ts'
import { liveLock, lockOf, parsedLock } from '../../../helpers/pinned.ts'
import { sweepRuns } from '../../../helpers/sweep.ts'

const SETTINGS = { seed: 66, numRuns: sweepRuns(60) }

const LOCK = lockOf({
  live: [
    { slug: 'a', system: 'Größe\n\n"{{ x }}"\\\n', user: '😀', temperature: 0.25 },
    { slug: 'b', system: '', source: 'n\u202eo', held: { reason: 'Legal\n' } },
  ],
  staging: [{ slug: 'a', temperature: null }],
})

describe('after a change of any byte, a lock is an error or equal', () => {
  const printed = printLock(LOCK, sha256)
  const bytes = Buffer.from(printed)
  const position = fc.nat(bytes.length - 1)
  const byte = fc.oneof(fc.constantFrom(...Buffer.from(' \t\n\r",:\\{}[]nu0')), fc.nat(255))

  test.each([
    ['replaced', 1, 1],
    ['inserted', 0, 1],
    ['removed', 1, 0],
  ])('%s', (_, removed, inserted) => {
    fc.assert(
      fc.property(position, byte, (at, other) => {
        const changed = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(inserted === 1 ? [other] : []),
          bytes.subarray(at + removed),
        ])
        const text = changed.toString()
        const parsed = parseLock(text, sha256)
        if (parsed.kind === 'lock') expect(parsed.lock).toEqual(LOCK)
      }),
      { ...SETTINGS, numRuns: sweepRuns(600) },
    )
  })
})

const PRINTED = printLock(liveLock({ slug: 'a', system: 'a\nb', temperature: 0.5 }), sha256)

function errorCode(text: string): string {
  const parsed = parseLock(text, sha256)
  return parsed.kind === 'lock' ? 'none' : parsed.fault.code
}

describe('white space between tokens that hides what follows is refused', () => {
  test.each([
    ['a lone carriage return', ',\n', ',\r'],
    ['a carriage return before a line end', ',\n', ',\r\r\n'],
    ['old line ends of a Mac', /\n/g, '\r'],
    ['a long indentation', '\n        "folder"', `\n${' '.repeat(5000)}"folder"`],
    ['many tabs', '\n        "folder"', `\n${'\t'.repeat(200)}"folder"`],
    ['spaces in a line', '[\n          "a', `[${' '.repeat(100)}"a`],
    ['spaces before a line end', ',\n', `,${' '.repeat(100)}\n`],
    ['empty lines', ',\n', `,${'\n'.repeat(300)}`],
    ['two empty lines with spaces', ',\n', ',\n  \n\t\n'],
    ['empty lines at the end', /\n$/, '\n'.repeat(50)],
  ])('%s', (_, from, to) => {
    const text = PRINTED.replace(from, () => to)
    expect(text).not.toBe(PRINTED)
    expect(errorCode(text)).toBe('LOCK_INVALID')
  })

  test.each([
    ['indentation by eight', / {2}/g, ' '.repeat(8)],
    ['one empty line', ',\n', ',\n\n'],
  ])('but not what formatters write: %s', (_, from, to) => {
    expect(errorCode(PRINTED.replaceAll(from, to))).toBe('none')
  })

  test('nor white space inside a text', () => {
    const text = printLock(liveLock({ slug: 'a', system: `${' '.repeat(999)}\n\n\n\n\r` }), sha256)
    expect(errorCode(JSON.stringify(JSON.parse(text)))).toBe('none')
  })
})

describe('a raw character that a reader does not see is refused, and escaped when it is printed', () => {
  test.each([
    ['a Syriac mark', '\u070f'],
    ['a variation selector after a letter', 'a\ufe0f'],
    ['a variation selector at the beginning', '\ufe0f'],
    ['two variation selectors after an emoji', '\u2764\ufe0f\ufe0f'],
    ['a variation selector after a digit', '1\ufe0fa'],
    ['an empty Braille pattern', '\u2800'],
    ['what stands for bytes that are not UTF-8', '\ufffd'],
    ['a control character of hieroglyphs', '\u{13430}'],
    ['an empty note head', '\u{1d159}'],
  ])('%s', (_, hidden) => {
    const printed = printLock(liveLock({ slug: 'a', system: `x${hidden}y` }), sha256)
    expect(printed).not.toContain(hidden)
    expect(errorCode(printed)).toBe('none')
    const raw = printed.replace(/"x.*y"/, JSON.stringify(`x${hidden}y`))
    expect(raw).toContain(hidden)
    expect(errorCode(raw)).toBe('LOCK_INVALID')
  })

  test.each(['\u2764\ufe0f', '\u2600\ufe0f', '1\ufe0f\u20e3', '#\ufe0f\u20e3', '\u{1f575}\ufe0f'])(
    'but not the selector of the emoji %s',
    (emoji) => {
      const printed = printLock(liveLock({ slug: 'a', system: `x${emoji}y` }), sha256)
      expect(printed).toContain(emoji)
    },
  )
})

test('any lock is the same after another tool formatted it', () => {
  fc.assert(
    fc.property(hostileLock, fc.constantFrom('', '\t', '   '), (lock, indentation) => {
      const printed = printLock(lock, sha256)
      const formatted = JSON.stringify(JSON.parse(printed), undefined, indentation)
      // A formatter keeps the escapes of strings, which `JSON.stringify` does not.
      const hidden = printed === `${JSON.stringify(JSON.parse(printed), undefined, 2)}\n`
      fc.pre(hidden)
      expect(parsedLock(formatted)).toEqual(parsedLock(printed))
      expect(isSameJson(formatted, printed)).toBe(true)
    }),
    SETTINGS,
  )
})

test('white space in a string is significant', () => {
  expect(isSameJson('["a b\\""]', '[ "a b\\"" ]')).toBe(true)
  expect(isSameJson('["a b"]', '["ab"]')).toBe(false)
  expect(isSameJson('[1]', '[1, 2]')).toBe(false)
  expect(isSameJson('[1', '[1]')).toBe(false)
  expect(isSameJson('[1, 2]', '[1]')).toBe(false)
  expect(isSameJson('["\\\\", "b c"]', '["\\\\","bc"]')).toBe(false)
  expect(isSameJson('["\\\\", "b"]', '[\t"\\\\",\r\n"b"]')).toBe(true)
  expect(isSameJson('["a', '["a ')).toBe(false)
})

/** Most blocks of this many characters have none that is escaped, which is seen at once. */
const BLOCK = 1024

function block(start: number): string {
  return Array.from({ length: BLOCK }, (_, index) => String.fromCodePoint(start + index)).join('')
}

function isPlain(text: string): boolean {
  return printJsonString(text) === `"${text}"`
}

test('the escaped characters are those of lockVersion 1, on every version of Node', () => {
  const escaped: string[] = []
  let last = -2
  for (let code = 0x20; code <= 0x10_ff_ff; code++) {
    if (code % BLOCK === 0 && isPlain(block(code))) {
      code += BLOCK - 1
      continue
    }
    if (isPlain(String.fromCodePoint(code))) continue
    if (code === last + 1)
      escaped[escaped.length - 1] = `${escaped.at(-1)?.split('-')[0]}-${code.toString(16)}`
    else escaped.push(code.toString(16))
    last = code
  }
  expect(escaped.join(' ')).toMatchInlineSnapshot(
    `"22 5c 7f-9f ad 34f 61c 70f 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f 2800 3164 d800-dfff fe00-fe0f feff ffa0 fff0-fffd 13430-1343f 16fe4 1bca0-1bca3 1d159 1d173-1d17a e0000-e0fff"`,
  )
})
