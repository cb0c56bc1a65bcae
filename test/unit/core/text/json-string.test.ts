import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  escapeInvisible,
  parseJsonString,
  printJsonString,
} from '../../../../src/core/text/json-string.ts'
import { hostileText } from '../../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'
import { sweep } from '../../../helpers/sweep.ts'

const QUOTED: readonly (readonly [title: string, given: string, want: string])[] = [
  ['the empty text', '', '""'],
  ['plain text', 'Be kind.', '"Be kind."'],
  ['visible letters of any script', 'Größe 票据 😀', '"Größe 票据 😀"'],
  ['a quote', '"', '"\\""'],
  ['a backslash', '\\n', '"\\\\n"'],
  ['a backtick and a dollar', '`${x}`', '"`${x}`"'],
  ['line ends', '\r\n\r\n', '"\\r\\n\\r\\n"'],
  ['ESC', '\u001b[31m', '"\\u001b[31m"'],
  ['tag characters', '\u{e0041}', '"\\udb40\\udc41"'],
  ['variation selectors, which can smuggle bytes', '\ufe00\u{e0100}', '"\\ufe00\\udb40\\udd00"'],
  [
    'but the one that makes an emoji',
    '©\ufe0f❤\ufe0f \u{1f575}\ufe0f',
    '"©\ufe0f❤\ufe0f \u{1f575}\ufe0f"',
  ],
  ['but the one that makes a keycap', '1\ufe0f\u20e3', '"1\ufe0f\u20e3"'],
  ['a variation selector after a letter', 'a\ufe0f', '"a\\ufe0f"'],
  ['a variation selector after a digit', '1\ufe0fa', '"1\\ufe0fa"'],
  ['a second variation selector', '❤\ufe0f\ufe0f', '"❤\ufe0f\\ufe0f"'],
  ['a lone surrogate', 'a\ud83d', '"a\\ud83d"'],
]

test.each(QUOTED)('a quoted text shows %s', (_, given, want) => {
  expect(printJsonString(given)).toBe(want)
})

test('any text round-trips, including unpaired surrogates', () => {
  const anything = fc.oneof(
    hostileText,
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  )
  fc.assert(
    fc.property(anything, (text) => {
      expect(JSON.parse(printJsonString(text))).toBe(text)
      expect(printJsonString(text)).not.toMatch(UNPRINTABLE)
    }),
    sweep(1000),
  )
})

test('strings in a JSON text are escaped in the same way', () => {
  const value = { 'a\u202e': ['b\u200b', 1] }
  expect(escapeInvisible(JSON.stringify(value))).toBe('{"a\\u202e":["b\\u200b",1]}')
})

test.each(['1', 'null', '["a"]', '"a', ''])('%s is no JSON string', (json) => {
  expect(parseJsonString(json)).toBeUndefined()
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
