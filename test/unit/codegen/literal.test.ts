import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { literal } from '../../../src/codegen/escape.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../helpers/unprintable.ts'

describe('a text as a literal of generated code', () => {
  test.each([
    ['a plain text', 'Be kind.', '"Be kind."'],
    ['the end of a script', '</script>', String.raw`"\u003c/script>"`],
    ['comments of HTML, however many', '<!--<!--', String.raw`"\u003c!--\u003c!--"`],
    ['an escape of its own', String.raw`\u003c`, String.raw`"\\u003c"`],
    ['quotes and a template', '"\'`${x}', String.raw`"\"'` + '`${x}"'],
    ['line separators', '\u2028\u2029', String.raw`"\u2028\u2029"`],
    ['a lone surrogate', '\ud83d', String.raw`"\ud83d"`],
  ])('holds %s as data', (_, text, want) => {
    expect(literal(text)).toBe(want)
  })

  test('is one line that JSON and JavaScript read alike, for any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const code = literal(text)
        expect(JSON.parse(code)).toBe(text)
        expect(code).not.toMatch(UNPRINTABLE)
        expect(code).not.toContain('<')
      }),
      { numRuns: 500 },
    )
  })
})
