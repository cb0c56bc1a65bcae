import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeComment, escapeMarkdown, literal } from '../../../src/codegen/escape.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../helpers/unprintable.ts'

test.each([
  ['a plain text', 'Be kind.', '"Be kind."'],
  ['the end of a script', '</script>', String.raw`"\u003c/script>"`],
  ['comments of HTML, however many', '<!--<!--', String.raw`"\u003c!--\u003c!--"`],
  ['an escape of its own', String.raw`\u003c`, String.raw`"\\u003c"`],
  ['quotes and a template', '"\'`${x}', String.raw`"\"'` + '`${x}"'],
  ['line separators', '\u2028\u2029', String.raw`"\u2028\u2029"`],
  ['a lone surrogate', '\ud83d', String.raw`"\ud83d"`],
])('a literal of generated code holds %s as data', (_, text, want) => {
  expect(literal(text)).toBe(want)
})

test('a literal of any text is one line that JSON and JavaScript read alike', () => {
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

test('a text in a comment ends nothing, tags nothing, and stays readable', () => {
  expect(escapeComment('  a */ @b `c`\u001b[31m  ')).toBe('  a *∕ ＠b ˋcˋ')
})

test('a text in the Markdown of a comment makes no link and no element', () => {
  expect(escapeMarkdown('[a](b) <c> */')).toBe('［a](b) ＜c> *∕')
})
