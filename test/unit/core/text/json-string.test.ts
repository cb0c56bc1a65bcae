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

const QUOTED = [
  { title: 'the empty text', given: '', want: '""' },
  { title: 'plain text', given: 'Be kind.', want: '"Be kind."' },
  { title: 'visible letters of any script', given: 'Größe 票据 😀', want: '"Größe 票据 😀"' },
  { title: 'a quote', given: '"', want: '"\\""' },
  { title: 'a backslash', given: '\\n', want: '"\\\\n"' },
  { title: 'a backtick and a dollar', given: '`${x}`', want: '"`${x}`"' },
  { title: 'line ends', given: '\r\n\r\n', want: '"\\r\\n\\r\\n"' },
  { title: 'NUL', given: '\0', want: '"\\u0000"' },
  { title: 'ESC', given: '\u001b[31m', want: '"\\u001b[31m"' },
  { title: 'DEL and C1', given: '\u007f\u0085\u009b', want: '"\\u007f\\u0085\\u009b"' },
  { title: 'line and paragraph separator', given: '\u2028\u2029', want: '"\\u2028\\u2029"' },
  {
    title: 'bidirectional overrides',
    given: '\u202e\u2066\u061c',
    want: '"\\u202e\\u2066\\u061c"',
  },
  {
    title: 'zero-width characters',
    given: '\u200b\u200d\u2060\ufeff',
    want: '"\\u200b\\u200d\\u2060\\ufeff"',
  },
  {
    title: 'fillers that look like spaces',
    given: '\u115f\u3164\uffa0',
    want: '"\\u115f\\u3164\\uffa0"',
  },
  { title: 'a soft hyphen', given: '\u00ad', want: '"\\u00ad"' },
  { title: 'tag characters', given: '\u{e0041}', want: '"\\udb40\\udc41"' },
  {
    title: 'variation selectors, which can smuggle bytes',
    given: '\ufe00\u{e0100}',
    want: '"\\ufe00\\udb40\\udd00"',
  },
  { title: 'but the one that makes an emoji', given: '❤\ufe0f', want: '"❤\ufe0f"' },
  { title: 'a lone surrogate', given: 'a\ud83d', want: '"a\\ud83d"' },
]

describe('a quoted text shows every character', () => {
  test.each(QUOTED)('$title', ({ given, want }) => {
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
