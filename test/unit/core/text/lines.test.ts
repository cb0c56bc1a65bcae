import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLines } from '../../../../src/core/text/lines.ts'
import { hostileText } from '../../../helpers/hostile.ts'
import { sweep } from '../../../helpers/sweep.ts'

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a\n']],
  ['a\nb', ['a\n', 'b']],
  ['\n\n', ['\n', '\n']],
  ['a\r\nb\r\n', ['a\r\n', 'b\r\n']],
  ['a\rb', ['a\rb']],
  ['a\u2028b', ['a\u2028b']],
])('%j is cut to %j', (text, lines) => {
  expect(splitLines(text)).toEqual(lines)
})

test('joining the lines of any text returns the text, and only the last line may lack a line end', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const lines = splitLines(text)
      expect(lines.join('')).toBe(text)
      expect(
        lines.every((line) => line.indexOf('\n') === line.length - 1 || line === lines.at(-1)),
      ).toBe(true)
    }),
    sweep(),
  )
})
