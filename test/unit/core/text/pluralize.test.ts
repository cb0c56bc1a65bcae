import { expect, test } from 'vitest'
import { joinWords, pluralize, truncateList } from '../../../../src/core/text/pluralize.ts'

test.each([
  [0, '0 prompts'],
  [1, '1 prompt'],
  [100, '100 prompts'],
  [1234, '1,234 prompts'],
  [1_234_567, '1,234,567 prompts'],
])('%j with its noun is %s', (count, want) => {
  expect(pluralize(count, 'prompt')).toBe(want)
})

test('a list is cut to its first items, and the others are counted', () => {
  expect(truncateList(['a', 'b', 'c'], 2)).toEqual(['a', 'b', '… and 1 more'])
  expect(truncateList(['a', 'b'], 2)).toEqual(['a', 'b'])
})

test.each([[[]], [['a']], [['a', 'b']], [['a', 'b', 'c']]])(
  '%j in words is as Intl writes it',
  (words) => {
    const format = (type?: 'disjunction'): string =>
      new Intl.ListFormat('en', { type }).format(words)
    expect([joinWords(words), joinWords(words, 'or')]).toEqual([format(), format('disjunction')])
  },
)
