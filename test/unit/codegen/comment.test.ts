import { expect, test } from 'vitest'
import { escapeComment, escapeMarkdown } from '../../../src/codegen/escape.ts'

test('a text in a comment ends nothing, tags nothing, and stays readable', () => {
  expect(escapeComment('  a */ @b `c`\u001b[31m  ')).toBe('  a *∕ ＠b ˋcˋ')
})

test('a text in the Markdown of a comment makes no link and no element', () => {
  expect(escapeMarkdown('[a](b) <c> */')).toBe('［a](b) ＜c> *∕')
})
