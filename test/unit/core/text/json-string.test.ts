import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
  ['NUL', '\0', '"\\u0000"'],
  ['ESC', '\u001b[31m', '"\\u001b[31m"'],
  ['DEL and C1', '\u007f\u0085\u009b', '"\\u007f\\u0085\\u009b"'],
  ['line and paragraph separator', '\u2028\u2029', '"\\u2028\\u2029"'],
  ['bidirectional overrides', '\u202e\u2066\u061c', '"\\u202e\\u2066\\u061c"'],
  ['zero-width characters', '\u200b\u200d\u2060\ufeff', '"\\u200b\\u200d\\u2060\\ufeff"'],
  ['fillers that look like spaces', '\u115f\u3164\uffa0', '"\\u115f\\u3164\\uffa0"'],
  ['a soft hyphen', '\u00ad', '"\\u00ad"'],
  ['tag characters', '\u{e0041}', '"\\udb40\\udc41"'],
  ['variation selectors, which can smuggle bytes', '\ufe00\u{e0100}', '"\\ufe00\\udb40\\udd00"'],
  ['but the one that makes an emoji', '❤\ufe0f', '"❤\ufe0f"'],
  ['a lone surrogate', 'a\ud83d', '"a\\ud83d"'],
]

describe('a quoted text shows every character', () => {
  test.each(QUOTED)('%s', (_, given, want) => {
    expect(printJsonString(given)).toBe(want)
  })
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
