import { expect, test } from 'vitest'
import { hangingLines } from '../../../../src/cli/output/hanging-lines.ts'

test('indents the lines after the first by the width of the lead', () => {
  const lines = hangingLines('one two three four five six', { lead: '字 ', columns: 25 })
  expect(lines).toStrictEqual(['字 one two three four', '   five six'])
})

test('keeps a path whole, and a text for a file on one line', () => {
  const path = '/a/path/that/is/longer/than/the/line'
  expect(hangingLines(`see ${path} now`, { lead: '', columns: 20 })).toContain(path)
  expect(hangingLines(`see ${path} now`, { lead: '', columns: Number.POSITIVE_INFINITY })).toEqual([
    `see ${path} now`,
  ])
})
