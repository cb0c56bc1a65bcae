import { expect, test } from 'vitest'
import { wrapLine } from '../../../../src/cli/shell/layout.ts'

test.each([
  { line: '▲ one two three four five six', rows: ['▲ one two three four', '  five six'] },
  { line: '  Fix: one two three four five', rows: ['  Fix: one two three', '  four five'] },
  {
    line: '   /a/path/longer/than/the/line now',
    rows: ['   /a/path/longer/than/the/line', '   now'],
  },
  { line: '\u001b[33m▲\u001b[39m short', rows: ['\u001b[33m▲\u001b[39m short'] },
])('a line wraps below its indentation and sign: $line', ({ line, rows }) => {
  expect(wrapLine(line, 22)).toEqual(rows)
})

test('a line for a file stays whole', () => {
  const line = '▲ '.repeat(500)
  expect(wrapLine(line, Number.POSITIVE_INFINITY)).toEqual([line])
})
